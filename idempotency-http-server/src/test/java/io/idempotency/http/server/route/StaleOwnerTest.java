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
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner whose record was settled by somebody else while its body ran, and whose body then fails. */
@MicronautTest
@Property(name = "test.stale", value = "true")
class StaleOwnerTest {

    @Inject
    @Client("/")
    HttpClient client;

    private HttpResponse<byte[]> send(String path, String body) {
        return new Wire(client)
                .send(post(path, body)
                        .header("Idempotency-Key", UUID.randomUUID().toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stale/whole", "/stale/value"})
    void itsCallerGetsTheRecordedOutcomeAndNotTheFailureOfItsBody(String path) {
        HttpResponse<byte[]> recorded = send(path, "{\"fails\":false}");
        HttpResponse<byte[]> stale = send(path, "{\"fails\":true}");
        assertThat(stale.code()).isEqualTo(recorded.code());
        assertThat(text(stale)).isEqualTo(text(recorded));
        assertThat(stale.header("Idempotent-Replayed")).isEqualTo("true");
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
