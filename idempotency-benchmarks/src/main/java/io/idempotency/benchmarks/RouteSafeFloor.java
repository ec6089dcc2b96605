package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.context.annotation.Bean;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The least that keeps what the library promises of a route whose call succeeds, by hand: what {@link RouteFloor} does on {@link SafeRecords};
 * a result whose class was seen to come back from JSON as it was. The bytes of a configured route are kept with their head and sent as
 * they are; an annotated method returns its result, which the server writes.
 */
@Singleton
@Bean(typed = RouteSafeFloor.class)
final class RouteSafeFloor {

    private final SafeRecords records = new SafeRecords();
    private final JsonMapper json;
    private volatile boolean comesBack;

    RouteSafeFloor(JsonMapper json) {
        this.json = json;
    }

    private final class Claim implements RouteClaim {
        private final SafeRecords.Claim claimed;
        private final boolean annotated;
        private final @Nullable HttpResponse<?> replay;

        Claim(SafeRecords.Claim claimed, boolean annotated, @Nullable HttpResponse<?> replay) {
            this.claimed = claimed;
            this.annotated = annotated;
            this.replay = replay;
        }

        @Override
        public @Nullable HttpResponse<?> replay() {
            return replay;
        }

        @Override
        public HttpResponse<?> record(int status, Answer answer) throws IOException {
            byte[] content = json.writeValueAsBytes(answer);
            if (annotated && !comesBack) { // once is enough for a class whose parts are all final
                comesBack = answer.equals(json.readValue(content, Answer.class));
            }
            claimed.settle(status, content);
            return annotated ? HttpResponse.ok(answer) : RouteDigests.response(status, content);
        }
    }

    RouteClaim claim(HttpRequest<?> request, Ask ask) throws IOException {
        return claim(RouteDigests.key(request, "safe-annotated"), RouteDigests.of(ask), true);
    }

    RouteClaim claim(HttpRequest<?> request, byte[] body) throws IOException {
        return claim(RouteDigests.key(request, "safe-configured"), RouteDigests.of(request, body), false);
    }

    private RouteClaim claim(ByteBuffer key, byte[] fingerprint, boolean annotated) throws IOException {
        SafeRecords.Claim claimed = records.claim(key, fingerprint);
        SafeRecords.Entry known = claimed.known();
        return new Claim(claimed, annotated, known == null ? null : replay(known, fingerprint, annotated));
    }

    private HttpResponse<?> replay(SafeRecords.Entry known, byte[] fingerprint, boolean annotated) throws IOException {
        byte[] content = known.contentFor(fingerprint);
        if (content == null) {
            return HttpResponse.status(HttpStatus.CONFLICT);
        }
        MutableHttpResponse<?> response = annotated
                ? HttpResponse.ok(json.readValue(content, Answer.class))
                : RouteDigests.response(known.status(), content);
        return response.header("Idempotent-Replayed", "true").header("Cache-Control", "no-store");
    }

    @PreDestroy
    void stop() {
        records.close();
    }
}
