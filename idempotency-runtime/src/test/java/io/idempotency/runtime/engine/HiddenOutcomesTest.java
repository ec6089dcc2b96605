package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store sees of outcomes that are hidden from it, and what duplicates are told of those that cannot be opened. */
class HiddenOutcomesTest {

    private static final String SECRET = "4111 1111";

    private final Engine engine = new Engine();
    private int key = 7;
    private boolean required;

    /** Every byte differs from what it was, the record's id counts, and the first byte says by which key. */
    private final class Mask implements Seal {
        @Override
        public byte[] seal(RecordId id, byte[] bytes) {
            byte[] sealed = new byte[bytes.length + 1];
            sealed[0] = (byte) key;
            for (int i = 0; i < bytes.length; i++) {
                sealed[i + 1] = (byte) (bytes[i] ^ 0x55 ^ id.value().charAt(0));
            }
            return sealed;
        }

        @Override
        public byte[] open(RecordId id, byte[] sealed) throws IOException {
            if (sealed[0] != key) {
                throw new IOException("it was sealed with another key");
            }
            return Arrays.copyOfRange(seal(id, Arrays.copyOfRange(sealed, 1, sealed.length)), 1, sealed.length);
        }

        @Override
        public boolean hides() {
            return true;
        }

        @Override
        public boolean refusesPlain() {
            return required;
        }
    }

    @BeforeEach
    void keepMessages() {
        engine.keepsMessages = true;
    }

    private void hide() {
        engine.seal = new Mask();
    }

    private StoredFailure storedFailure(String id) {
        return Objects.requireNonNull(engine.record(id).orElseThrow().failure());
    }

    private PreviousAttemptFailedException failedBefore(String id) {
        return refusal(engine.call(id, context -> "never"), PreviousAttemptFailedException.class);
    }

    private void failsWith(String id, Throwable failure) {
        engine.call(id, context -> {
            throw failure;
        });
    }

    private void codesAre(String code) {
        engine.classifier = new FailureClassifier() {
            @Override
            public Optional<Effect> effect(Throwable failure) {
                return Optional.empty();
            }

            @Override
            public Optional<String> code(Throwable failure) {
                return Optional.of(code);
            }
        };
    }

    @Test
    void aResultIsHiddenAndReplayedAndUnreadableWithAnotherKey() {
        hide();
        engine.call("k", context -> SECRET);
        StoredResult.Present stored =
                (StoredResult.Present) engine.record("k").orElseThrow().result();
        assertThat(new String(stored.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed(SECRET));
        key++;
        engine.reloader = context -> CompletableFuture.completedFuture("reloaded");
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("another key");
        assertThat(engine.bodies).hasValue(1);
    }

    /** Hidden it takes some bytes. */
    @Test
    void nothingIsNeverTooLarge() {
        hide();
        engine.maxResultSize = 0;
        engine.call("k", context -> null);
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed(null));
        engine.call("large", context -> "x");
        refusal(engine.call("large", context -> "second"), ResultUnavailableException.class);
    }

    @Test
    void ofAFailureTheTypeIsSeenAndTheRestIsHidden() {
        hide();
        codesAre("E42");
        failsWith("k", new IllegalStateException("no funds on " + SECRET));
        StoredFailure stored = storedFailure("k");
        assertThat(stored.type()).isEqualTo(IllegalStateException.class.getName());
        assertThat(stored.message()).isNotNull().doesNotContain(SECRET);
        assertThat(stored.code()).isNull();
        assertThat(failedBefore("k").failureMessage()).isEqualTo("no funds on " + SECRET);
        assertThat(failedBefore("k").failureCode()).isEqualTo("E42");
        assertThat(failedBefore("k")).hasMessageContaining(": no funds on " + SECRET);
        key++;
        assertThat(failedBefore("k"))
                .hasMessageContaining(IllegalStateException.class.getName())
                .hasMessageContaining("another key")
                .hasMessageNotContaining(SECRET)
                .satisfies(unopened -> assertThat(unopened.getSuppressed()).hasSize(1));
    }

    @Test
    void aCodeWithoutMessageIsHiddenAndNothingNeedNotBe() {
        hide();
        failsWith("nothing", new IllegalStateException());
        assertThat(storedFailure("nothing").message()).isNull();
        assertThat(failedBefore("nothing").failureCode()).isNull();
        codesAre("E42");
        failsWith("code", new IllegalStateException());
        assertThat(storedFailure("code").code()).isNull();
        assertThat(failedBefore("code").failureCode()).isEqualTo("E42");
        assertThat(failedBefore("code").failureMessage()).isNull();
        failsWith("empty", new IllegalStateException(""));
        assertThat(failedBefore("empty").failureMessage()).isEmpty();
    }

    @Test
    void aLongMessageIsShortenedUntilItFitsHidden() {
        hide();
        failsWith("k", new IllegalStateException(SECRET + "x".repeat(5000)));
        assertThat(storedFailure("k").message()).hasSizeLessThanOrEqualTo(2000);
        assertThat(failedBefore("k").failureMessage())
                .startsWith(SECRET)
                .endsWith("…")
                .hasSizeGreaterThan(1000);
    }

    @Test
    void aMessageIsKeptAsFarAsAStoreHasRoomForIt() {
        failsWith("fits", new IllegalStateException("x".repeat(2000)));
        assertThat(failedBefore("fits").failureMessage()).isEqualTo("x".repeat(2000));
        failsWith("long", new IllegalStateException("x".repeat(2001)));
        assertThat(failedBefore("long").failureMessage()).isEqualTo("x".repeat(1999) + "…");
    }

    @Test
    void ofAFailureThatCannotBeSanitizedOnlyItsTypeIsKept() {
        engine.sanitizerFails = true;
        failsWith("k", new IllegalStateException(SECRET));
        assertThat(failedBefore("k").failureType()).isEqualTo(IllegalStateException.class.getName());
        assertThat(failedBefore("k").failureMessage()).isNull();
    }

    @Test
    void whereAllAreHiddenAPlainFailureIsNotBelieved() {
        failsWith("text", new IllegalStateException("declined"));
        failsWith("nothing", new IllegalStateException());
        codesAre("E42");
        failsWith("code", new IllegalStateException());
        hide();
        assertThat(failedBefore("text").failureMessage()).isEqualTo("declined");
        required = true;
        for (String id : new String[] {"text", "code"}) {
            assertThat(failedBefore(id)).hasMessageContaining("not encrypted");
            assertThat(failedBefore(id).failureMessage()).isNull();
            assertThat(failedBefore(id).failureCode()).isNull();
        }
        assertThat(failedBefore("nothing")).hasMessageNotContaining("not encrypted");
    }

    @Test
    void aMessageThatLooksLikeAHiddenOneIsToldWithoutItsFirstCharacter() {
        failsWith("k", new IllegalStateException("\u0001sealed:?"));
        assertThat(failedBefore("k").failureMessage()).isEqualTo("sealed:?");
    }

    @Test
    void aHiddenTextThatIsDamagedIsSaidToBe() {
        engine.seal = new DamagedSeal();
        failsWith("k", new IllegalStateException("declined"));
        assertThat(failedBefore("k")).hasMessageContaining("cut off");
    }

    /** Half of it is missing when it is opened. */
    private static final class DamagedSeal implements Seal {
        @Override
        public byte[] seal(RecordId id, byte[] bytes) {
            return bytes;
        }

        @Override
        public byte[] open(RecordId id, byte[] bytes) {
            return Arrays.copyOf(bytes, bytes.length / 2);
        }

        @Override
        public boolean hides() {
            return true;
        }

        @Override
        public boolean refusesPlain() {
            return false;
        }
    }

    @Test
    void whyAnOutcomeIsUnknownIsSaidWithoutTheTextThatIsHidden() {
        Throwable cutOff = new LinkageError("while paying with " + SECRET);
        failsWith("plain", cutOff);
        assertThat(refusal(engine.call("plain", context -> "never"), OutcomeUnknownException.class))
                .hasMessageContaining(SECRET);
        hide();
        failsWith("hidden", cutOff);
        assertThat(refusal(engine.call("hidden", context -> "never"), OutcomeUnknownException.class))
                .hasMessageContaining(LinkageError.class.getName())
                .hasMessageNotContaining(SECRET);
        assertThat(engine.record("hidden").map(StoredRecord::toString).orElseThrow())
                .doesNotContain(SECRET);
    }

    private Outcome answered(String id, Effect effect, byte[] answer) {
        return answered(id, new IllegalStateException("declined"), effect, answer);
    }

    private Outcome answered(String id, Throwable failure, Effect effect, byte[] answer) {
        return engine.call(id, context -> {
            throw new FailureWithAnswer(failure, effect, answer);
        });
    }

    private static Effect effect(Outcome threw) {
        return ((Outcome.Threw) threw).effect();
    }

    @Test
    void whatIsKnownOfAFailureGoesBeforeWhatItsAnswerSays() {
        byte[] answer = new byte[1];
        Throwable unsent = new ConnectException();
        assertThat(effect(answered("itself", unsent, Effect.UNKNOWN, answer))).isEqualTo(Effect.FINAL);
        assertThat(effect(answered("cause", new IllegalStateException(unsent), Effect.UNKNOWN, answer)))
                .isEqualTo(Effect.FINAL);
        Throwable endless = new IllegalStateException();
        endless.initCause(new IllegalStateException(endless));
        assertThat(effect(answered("endless", endless, Effect.UNKNOWN, answer))).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void anAnswerIsFoundBehindTheWrappingOfStages() {
        FailureWithAnswer failure =
                new FailureWithAnswer(new IllegalStateException("declined"), Effect.FINAL, new byte[] {1});
        engine.callAsync("k", context -> CompletableFuture.failedFuture(new CompletionException(failure)));
        assertThat(((Outcome.Refused) engine.call("k", context -> "never")).answer())
                .isEqualTo(new byte[] {1});
        engine.callAsync("empty", context -> CompletableFuture.failedFuture(new CompletionException("empty", null)));
        assertThat(failedBefore("empty").failureType()).isEqualTo(CompletionException.class.getName());
    }

    @Test
    void duplicatesGetTheAnswerThatTheFailureGot() {
        byte[] answer = {1, 2, 3};
        hide();
        Outcome first = answered("k", Effect.FINAL, answer);
        assertThat(first).isInstanceOfSatisfying(Outcome.Threw.class, threw -> {
            assertThat(threw.failure()).isInstanceOf(IllegalStateException.class);
            assertThat(threw.effect()).isEqualTo(Effect.FINAL);
            assertThat(threw.recorded()).isEqualTo(Recorded.YES);
        });
        Outcome.Refused second = (Outcome.Refused) engine.call("k", context -> "never");
        assertThat(second.answer()).isEqualTo(answer);
        PreviousAttemptFailedException failed = refusal(second, PreviousAttemptFailedException.class);
        assertThat(failed.failureMessage()).isEqualTo("declined");
        assertThat(failed.failureType()).isEqualTo(IllegalStateException.class.getName());
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void anAnswerThatIsTooLargeIsLeftOutAndTheFailureIsKept() {
        engine.maxResultSize = 40;
        answered("k", Effect.FINAL, new byte[1000]);
        Outcome.Refused second = (Outcome.Refused) engine.call("k", context -> "never");
        assertThat(second.answer()).isNull();
        assertThat(refusal(second, PreviousAttemptFailedException.class).failureMessage())
                .isEqualTo("declined");
    }

    @Test
    void anAnswerSaysWhatAFailureMeansOfWhichNothingElseIsKnown() {
        answered("k", Effect.NONE, new byte[1]);
        assertThat(engine.record("k")).isEmpty();
        answered("unknown", Effect.UNKNOWN, new byte[1]);
        refusal(engine.call("unknown", context -> "never"), OutcomeUnknownException.class);
        engine.declaredEffects = Map.of(IllegalStateException.class, Effect.FINAL);
        answered("declared", Effect.NONE, new byte[1]);
        assertThat(failedBefore("declared").failureMessage()).isEqualTo("declined");
    }

    /** Its codec writes what it likes. */
    @Test
    void aResultThatBeginsLikeAFailureIsReplayedAsItIs() {
        engine.codec = new Latin();
        String failure = new String(OutcomeKind.FAILURE.mark(), StandardCharsets.ISO_8859_1);
        String result = new String(OutcomeKind.RESULT.mark(), StandardCharsets.ISO_8859_1);
        String any = failure.substring(0, OutcomeKind.LENGTH - 1);
        for (String text : List.of(failure + "rest", failure, result + "rest", result, any, any.substring(1), "")) {
            String id = "k" + engine.bodies;
            engine.call(id, context -> text);
            assertThat(engine.call(id, context -> "second")).isEqualTo(new Outcome.Replayed(text));
        }
    }

    private static final class Latin implements ResultCodec {
        @Override
        public byte[] encode(Object value) {
            return ((String) value).getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public Object decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
