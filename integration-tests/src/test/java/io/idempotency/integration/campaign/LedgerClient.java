package io.idempotency.integration.campaign;

import io.idempotency.IdempotencyContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Has the ledger apply the effect of a body. */
@Singleton
@Requires(property = CampaignNode.PROPERTY)
class LedgerClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final String address;

    LedgerClient(@Value("${campaign.ledger}") int port) {
        this.address = "http://127.0.0.1:" + port + Ledger.EFFECTS;
    }

    /** The ledger declined, before anything happened. */
    static final class DeclinedException extends HttpStatusException {
        private static final long serialVersionUID = 1L;

        DeclinedException() {
            super(HttpStatus.PAYMENT_REQUIRED, "declined");
        }
    }

    /** The ledger has seen a higher fence: this owner was replaced. Nothing was applied. */
    static final class StaleFenceException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Applies one effect and returns its run. A body that is cut off from the ledger fails with an {@code IOException}.
     *
     * @param atMs when the body started
     */
    String apply(String key, String payload, String call, boolean checked, long atMs)
            throws IOException, InterruptedException {
        String run = UUID.randomUUID().toString();
        String query = "?run=" + run + "&call=" + call + "&key=" + encoded(key) + "&payload=" + encoded(payload)
                + "&fence=" + IdempotencyContext.current().fence() + "&at=" + atMs + "&checked=" + checked;
        HttpResponse<String> answer = send(request(query).POST(HttpRequest.BodyPublishers.noBody()));
        return switch (answer.statusCode()) {
            case 201 -> run;
            case 402 -> throw new DeclinedException();
            case 409 -> throw new StaleFenceException();
            default -> throw new IOException("The ledger answered " + answer.statusCode());
        };
    }

    /** The run of the key's effect, empty without one. Afterwards no lower fence is accepted where fences are checked. */
    String find(String key, long fence) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(request("?key=" + encoded(key) + "&fence=" + fence).GET());
        return answer.body();
    }

    private HttpRequest.Builder request(String query) {
        return HttpRequest.newBuilder(URI.create(address + query)).timeout(TIMEOUT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
