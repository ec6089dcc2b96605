package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.idempotency.http.server.RawConnection.Answer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Requests to a server that stops. */
class LastRequestsTest {

    /** Bodies that end when a test wants it. */
    @Controller("/last")
    @Requires(property = "test.last")
    static class LastController {
        final CountDownLatch started = new CountDownLatch(2);
        final CompletableFuture<String> result = new CompletableFuture<>();

        @Post("/blocking")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(value = "last-blocking", key = "key")
        String blocking(@QueryValue String key) {
            started.countDown();
            return result.join();
        }

        @Post("/quick")
        @IdempotentOperation(value = "last-quick", key = "key")
        String quick(@QueryValue String key) {
            return key;
        }

        @Post("/reactive")
        @IdempotentOperation(
                value = "last-reactive",
                key = "key",
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "1m")
        Mono<String> reactive(@QueryValue String key) {
            return Mono.fromCompletionStage(() -> {
                started.countDown();
                return result;
            });
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final EmbeddedServer server = ApplicationContext.run(
            EmbeddedServer.class,
            Map.of("test.last", true, "idempotency.store", "memory", "micronaut.server.port", -1));
    private final LastController bodies = server.getApplicationContext().getBean(LastController.class);

    @AfterEach
    void end() {
        bodies.result.complete("late");
        server.close();
        threads.shutdownNow();
    }

    private RawConnection connection() throws IOException {
        return new RawConnection(server.getPort());
    }

    private CompletableFuture<Answer> post(RawConnection connection, String path) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return connection.post(path, "", "");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                threads);
    }

    @Test
    void everyBodyThatRunsEndsAndItsCallersAreAnsweredWhileOthersAreToldToComeAgain() throws Exception {
        try (RawConnection first = connection();
                RawConnection second = connection();
                RawConnection waiting = connection();
                RawConnection other = connection()) {
            CompletableFuture<Answer> blocking = post(first, "/last/blocking?key=k");
            CompletableFuture<Answer> reactive = post(second, "/last/reactive?key=k");
            bodies.started.await();
            CompletableFuture<Answer> duplicate = post(waiting, "/last/reactive?key=k");
            assertThat(other.post("/last/blocking?key=k", "", "").status()).isEqualTo(409);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::stop, threads);

            Answer refused = Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(
                            () -> other.post("/last/quick?key=" + UUID.randomUUID(), "", ""),
                            last -> last.status() != 200);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.head()).containsIgnoringCase("retry-after: 1");
            assertThat(refused.body()).contains("shutting-down", "\"executed\":\"no\"", "\"retry\":\"same-key\"");
            assertThat(stopped).isNotDone();

            bodies.result.complete("done");
            assertThat(blocking.join().body()).isEqualTo("done");
            assertThat(reactive.join().body()).isEqualTo("done");
            assertThat(duplicate.join().body()).isEqualTo("done");
            stopped.join();
        }
    }
}
