package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A call that waits on the server's event loop keeps other requests from being answered: that is said, once for each operation. */
@Tag("thorough")
class EventLoopTest {

    @Controller("/loop")
    @Requires(property = "test.event-loop")
    static class LoopController {

        @Post("/waiting")
        @IdempotentOperation(value = "loop-waiting", whenInProgress = WhenInProgress.WAIT)
        String waiting(@Body String body) {
            return body;
        }

        @Post("/refusing")
        @IdempotentOperation("loop-refusing")
        String refusing(@Body String body) {
            return body;
        }

        @Post("/elsewhere")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(value = "loop-elsewhere", whenInProgress = WhenInProgress.WAIT)
        String elsewhere(@Body String body) {
            return body;
        }

        @Post("/later")
        @IdempotentOperation(value = "loop-later", whenInProgress = WhenInProgress.WAIT)
        Mono<String> later(@Body String body) {
            return Mono.just(body);
        }
    }

    private static List<String> warnings(Map<String, Object> properties, String... paths) {
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL());
                LogLines log = LogLines.of("io.idempotency.runtime.intercept")) {
            for (String path : paths) {
                assertThat(new Wire(client)
                                .send(post("/loop/" + path, "\"a\"").header("Idempotency-Key", path))
                                .code())
                        .isEqualTo(200);
            }
            return log.messages(Level.WARN);
        }
    }

    @Test
    void aMethodThatMayWaitThereIsNamedOnce() {
        assertThat(warnings(Map.of("test.event-loop", true), "waiting", "waiting"))
                .singleElement()
                .asString()
                .contains("'loop-waiting'", "event loop", "@ExecuteOn(TaskExecutors.BLOCKING)")
                .contains("micronaut.server.thread-selection: AUTO");
    }

    @Test
    void whatDoesNotWaitOrWaitsElsewhereIsNot() {
        assertThat(warnings(Map.of("test.event-loop", true), "refusing", "elsewhere", "later"))
                .isEmpty();
    }

    @Test
    void norIsAnyWhereTheServerSelectsThreads() {
        Map<String, Object> selecting = Map.of("test.event-loop", true, "micronaut.server.thread-selection", "AUTO");
        assertThat(Stream.of("waiting", "later").flatMap(path -> warnings(selecting, path).stream()))
                .isEmpty();
    }
}
