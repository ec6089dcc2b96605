package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.Refusal;
import io.idempotency.test.IdempotencyTestKit;
import io.idempotency.test.logs.LogLines;
import io.micronaut.http.HttpResponse;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each refusal as each of its causes brings it about, in each form and by both kinds of route: the caller reads nothing of the
 * inside, and whoever reads the log learns the cause.
 */
@Tag("any-jdk")
class RefusalCausesTest {

    /** Names of classes and properties, addresses, ids, and what our own advice to operators consists of. */
    private static final Pattern INSIDE =
            Pattern.compile("Exception|java\\.|io\\.|idempotency\\.|db-7|:\\d{4}|ada@|@|[Ll]ease"
                    + "|memory|fingerprint|fence|on[A-Z]|whenIn|waitTime|elsewhere-7|[0-9a-f]{9}");

    private static final Pattern WHOLE_ID = Pattern.compile("[0-9a-f]{64}");

    private static EmbeddedServer server;

    private final LogLines log = LogLines.ofLibrary().from(Level.DEBUG);

    @BeforeAll
    static void serve() {
        server = RefusalScene.start(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void stopListening() {
        log.close();
        server.getApplicationContext().getBean(FullExecutor.class).full.set(false);
        server.getApplicationContext().getBean(IdempotencyTestKit.class).reset();
    }

    static Stream<Arguments> causes() {
        return RefusalCause.all().stream()
                .flatMap(cause -> cause.routes().stream()
                        .flatMap(route -> Stream.of("application/json", "text/plain,*/*;q=0.1", "text/html,*/*;q=0.8")
                                .map(form -> Arguments.of(cause, route, form))));
    }

    @Test
    void everyRefusalHasACauseHere() {
        assertThat(RefusalCause.all().stream().map(RefusalCause::refusal)).contains(Refusal.values());
    }

    @ParameterizedTest
    @MethodSource("causes")
    void theCallerLearnsWhatItMeansAndTheLogWhatItIs(RefusalCause cause, String route, String form) {
        try (RefusalScene scene = new RefusalScene(server, route, form)) {
            assertSaysNothingOfTheInside(
                    cause.refusal(), scene.operation(), cause.way().apply(scene));
        }
        assertThat(log.events().stream().map(LogLines::text))
                .anyMatch(line -> line.contains(cause.said()))
                .noneMatch(line -> WHOLE_ID.matcher(line).find());
    }

    private static void assertSaysNothingOfTheInside(Refusal refusal, String operation, HttpResponse<byte[]> refused) {
        String body = text(refused).replaceAll("(?s)<style>.*?</style>|<svg.*?</svg>", "");
        assertThat(refused.code()).as(body).isEqualTo(refusal.status());
        assertThat(refused.header("Idempotency-Status")).startsWith("refused;code=" + refusal.code() + ";");
        assertThat(body).contains(refusal.code(), operation);
        assertThat(refused.header("Idempotency-Status"))
                .contains(";retry=" + refusal.retry().code());
        assertThat(refused.header("Retry-After") != null).isEqualTo(refusal.retry() == Retry.SAME_KEY);
        assertThat(body.replace("/problems/idempotency/", "")).doesNotContainPattern(INSIDE);
        refused.getHeaders()
                .forEach((name, values) -> assertThat(values)
                        .as(name)
                        .noneMatch(value -> INSIDE.matcher(value).find()));
    }
}
