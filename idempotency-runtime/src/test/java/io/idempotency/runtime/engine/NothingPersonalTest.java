package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.idempotency.OnAbandoned;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an application's exceptions say is about its customers, and does not belong into the library's lines. */
class NothingPersonalTest {

    private static final String SECRET = "jane@example.org";

    private final Engine engine = new Engine();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger library = (Logger) LoggerFactory.getLogger("io.idempotency");

    @BeforeEach
    void listen() {
        log.start();
        library.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        library.detachAppender(log);
    }

    private static String text(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getFormattedMessage() + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
    }

    private void assertNothingPersonalButThisType(Class<?> type, String place) {
        assertThat(log.list).isNotEmpty().noneMatch(event -> text(event).contains(SECRET));
        assertThat(log.list)
                .anyMatch(event ->
                        text(event).contains(type.getName()) && text(event).contains(place));
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
        Throwable shown = Objects.requireNonNull(Textless.of(one));
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
