package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner whose record was settled by somebody else while its body ran, and whose body then fails. */
@MicronautTest
@Property(name = "test.stale", value = "true")
class StaleOwnerTest {

    @Inject
    @Client("/")
    HttpClient client;

    private HttpResponse<byte[]> send(String path, String body, String key) {
        return new Wire(client).send(post(path, body).header("Idempotency-Key", key));
    }

    private static void assertReplay(HttpResponse<byte[]> replay, HttpResponse<byte[]> recorded) {
        assertThat(replay.code()).isEqualTo(recorded.code());
        assertThat(replay.getContentType()).isEqualTo(recorded.getContentType());
        assertThat(text(replay)).isEqualTo(text(recorded));
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void itsCallerGetsTheRecordedResponseAndNotTheFailureOfItsBody() {
        HttpResponse<byte[]> recorded = send("/stale/whole", "{\"fails\":false}", "w-1");
        assertReplay(send("/stale/whole", "{\"fails\":true}", "w-2"), recorded);
    }

    /** Only the router knows which response it makes of a value, and it has made one of the exception. */
    @ParameterizedTest
    @ValueSource(strings = {"/stale/value", "/stale/mapped"})
    void itsCallerIsToldToComeBackForARecordedValue(String path) {
        HttpResponse<byte[]> recorded = send(path, "{\"fails\":false}", path + "-1");
        HttpResponse<byte[]> stale = send(path, "{\"fails\":true}", path + "-2");
        assertThat(stale.code()).isEqualTo(409);
        assertThat(stale.header("Idempotency-Status"))
                .isEqualTo("refused;code=in-progress;executed=unknown;retry=same-key");
        assertThat(stale.header("Retry-After")).isEqualTo("1");
        assertThat(stale.header("Idempotent-Replayed")).isNull();
        assertReplay(send(path, "{\"fails\":true}", path + "-2"), recorded);
    }

    /** Its second body is settled as the first one was, and throws. */
    @Controller("/stale")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Requires(property = "test.stale")
    static class StaleController {

        private static final Duration DAY = Duration.ofDays(1);

        private final IdempotencyStore store;
        private final AtomicReference<RecordId> first = new AtomicReference<>();

        StaleController(IdempotencyStore store) {
            this.store = store;
        }

        @Post("/whole")
        @IdempotentOperation("stale-whole")
        HttpResponse<Map<String, String>> whole(@Body Map<String, Boolean> request) {
            work(request);
            return HttpResponse.created(Map.of("id", "1"));
        }

        @Post("/value")
        @IdempotentOperation("stale-value")
        Map<String, String> value(@Body Map<String, Boolean> request) {
            work(request);
            return Map.of("id", "1");
        }

        /** Its answer to a success is text, and a method of the controller answers its failure. */
        @Post("/mapped")
        @Status(HttpStatus.CREATED)
        @Produces(MediaType.TEXT_PLAIN)
        @IdempotentOperation("stale-mapped")
        String mapped(@Body Map<String, Boolean> request) {
            work(request);
            return "1";
        }

        @Error
        @Status(HttpStatus.CONFLICT)
        Map<String, String> failed(IllegalStateException exception) {
            return Map.of("failed", "yes");
        }

        private void work(Map<String, Boolean> request) {
            RecordId id = new RecordId(IdempotencyContext.current().keyHash());
            if (!request.get("fails")) {
                first.set(id);
                return;
            }
            StoredResult result = find(first.get()).result();
            StoredRecord own = find(id);
            store.doubt(new Ownership(id, own.owner(), own.fence()), "taken for lost", DAY);
            store.resolve(id, own.fence(), new Resolution.Complete(result, DAY), new AuditNote("by an operator", DAY));
            throw new IllegalStateException("the books have it already");
        }

        private StoredRecord find(RecordId id) {
            return store.find(id).orElseThrow();
        }
    }
}
