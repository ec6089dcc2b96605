package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application's exceptions say is about its customers, and does not belong into the library's lines. */
class NothingPersonalTest {

    private static final String SECRET = "jane@example.org";

    private final Engine engine = new Engine();
    private final LogLines log = LogLines.ofLibrary();

    @AfterEach
    void stopListening() {
        log.close();
    }

    private void assertNothingPersonalButThisType(Class<?> type, String place) {
        assertThat(log.events())
                .isNotEmpty()
                .noneMatch(event -> LogLines.text(event).contains(SECRET));
        assertThat(log.events())
                .anyMatch(event -> LogLines.text(event).contains(type.getName())
                        && LogLines.text(event).contains(place));
    }

    @Test
    void theFailureOfALateOwnerIsLoggedWithoutItsText() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.refuse(Call.RENEW);
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.plusMillis(1));
        engine.call("k", context -> "second");
        answer.completeExceptionally(
                new IllegalStateException("no account of " + SECRET, new RuntimeException("for " + SECRET)));
        assertNothingPersonalButThisType(IllegalStateException.class, "NothingPersonalTest");
    }

    /** H2 quotes a value that is too long for its column. */
    @Test
    void whatADatabaseSaysOfAResultIsNotLogged() {
        engine.settleBudget = Duration.ofMillis(50);
        engine.store.before(Call.COMPLETE, () -> {
            ResultRejectedException rejected = new ResultRejectedException("the database does not take it");
            rejected.initCause(new IllegalStateException("value too long: " + SECRET));
            throw rejected;
        });
        engine.call("k", context -> "receipt of " + SECRET);
        assertNothingPersonalButThisType(ResultRejectedException.class, "NothingPersonalTest");
    }

    @Test
    void placesAreLoggedAndNotEveryCauseOfManyOrOfEndlesslyMany() {
        Throwable one = new IllegalStateException(SECRET);
        one.initCause(new IllegalArgumentException(one));
        Throwable shown = Objects.requireNonNull(RedactedThrowable.of(one));
        assertThat(shown.getStackTrace()).isEqualTo(one.getStackTrace());
        int causes = 0;
        for (Throwable cause = shown; cause != null; cause = cause.getCause()) {
            causes++;
        }
        assertThat(causes).isEqualTo(8);
    }

    @Test
    void aClassifierThatFailsIsLoggedWithoutItsText() {
        engine.classifier = failure -> {
            throw new UnsupportedOperationException("not known: " + failure.getMessage());
        };
        engine.call("k", context -> {
            throw new IllegalStateException("no account of " + SECRET);
        });
        assertNothingPersonalButThisType(UnsupportedOperationException.class, "NothingPersonalTest");
    }

    @Test
    void aListenerThatFailsIsLoggedWithoutItsText() {
        OutcomeListener failing = new OutcomeListener() {
            @Override
            public void onUnprotected(String operation) {
                throw new UnsupportedOperationException("no mail to " + SECRET);
            }
        };
        Listeners.tell(List.of(failing), "pay", listener -> listener.onUnprotected("pay"));
        assertNothingPersonalButThisType(UnsupportedOperationException.class, "NothingPersonalTest");
    }

    @Test
    void aResultThatCannotBeEncodedIsLoggedWithoutItsText() {
        engine.codec = new ResultCodec() {
            @Override
            public byte[] encode(@Nullable Object value) {
                throw new UnsupportedOperationException("no writer for " + value);
            }

            @Override
            public @Nullable Object decode(byte[] bytes) {
                throw new AssertionError("nothing was stored");
            }
        };
        engine.call("k", context -> SECRET);
        assertNothingPersonalButThisType(UnsupportedOperationException.class, "NothingPersonalTest");
    }
}
