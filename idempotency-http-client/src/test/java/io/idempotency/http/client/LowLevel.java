package io.idempotency.http.client;

import io.idempotency.IdempotencyKey;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.ClientFilter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.hateoas.JsonError;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.retry.annotation.Retryable;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/** Beans that send requests by hand. */
@Singleton
@Requires(property = "test.psp")
class LowLevel {

    final HttpClient psp;
    final HttpClient other;

    LowLevel(@Client("psp") HttpClient psp, @Client("other") HttpClient other) {
        this.psp = psp;
        this.other = other;
    }

    static MutableHttpRequest<?> post(String path) {
        return HttpRequest.POST(path, PspApplication.ORDER);
    }

    static String send(HttpClient client, String path) {
        return client.toBlocking().retrieve(post(path));
    }

    // tag::bean[]
    @SendsIdempotencyKey(retries = 2)
    public String charge() {
        return send(psp, "/charges");
    }
    // end::bean[]

    @SendsIdempotencyKey(retries = 2)
    public Mono<String> chargeMono() {
        return Mono.defer(() -> Mono.from(psp.retrieve(post("/charges"))));
    }

    @SendsIdempotencyKey("low-card")
    public String authorize() {
        return send(psp, "/authorizations");
    }

    @SendsIdempotencyKey("low-card")
    public String capture() {
        return send(psp, "/captures");
    }

    @SendsIdempotencyKey("io.idempotency.http.client.PspClient#chargeMono")
    public Mono<String> chargeMonoAsThePspDoes() {
        return Mono.defer(() -> Mono.from(psp.retrieve(post("/charges"))));
    }

    @SendsIdempotencyKey(retries = 2)
    public CompletionStage<String> chargeStage() {
        return Mono.from(psp.retrieve(post("/charges"))).toFuture();
    }

    @SendsIdempotencyKey(retries = 3)
    public Mono<HttpResponse<JsonError>> lenient() {
        return Mono.defer(() -> Mono.from(psp.exchange(post("/charges"), JsonError.class)));
    }

    @SendsIdempotencyKey
    public String keyed(@IdempotencyKey long number) {
        return send(psp, "/charges");
    }

    @Retryable(attempts = "2", delay = "1ms")
    @SendsIdempotencyKey
    public String retryable() {
        return send(psp, "/charges");
    }

    @SendsIdempotencyKey
    public void twoRequests() {
        send(psp, "/charges");
        send(psp, "/mails");
    }

    /** As where a request is signed: each attempt has another query. */
    @SendsIdempotencyKey(retries = 2)
    public String signed() {
        return send(psp, "/charges?at=" + System.nanoTime());
    }

    @SendsIdempotencyKey
    public void twoQueries() {
        send(psp, "/charges?order=1");
        send(psp, "/charges?order=2");
    }

    @SendsIdempotencyKey(service = "psp")
    public void twoRequestsOfWhichOneIsMeant() {
        send(other, "/mails");
        send(psp, "/charges");
    }

    /** As where all methods of a bean carry keys. */
    @SendsIdempotencyKey
    public Mono<String> find() {
        return Mono.defer(() -> Mono.from(psp.retrieve(HttpRequest.GET("/charges/1"))));
    }

    @SendsIdempotencyKey
    public String sent(HttpRequest<?> request) {
        return psp.toBlocking().retrieve(request);
    }

    @SendsIdempotencyKey
    public String chargeFor(Object intent) {
        return send(psp, "/charges");
    }

    @SendsIdempotencyKey(service = "pspp", retries = 3)
    public void misspelt() {
        send(psp, "/charges");
    }

    @SendsIdempotencyKey
    public void twoBodies() {
        send(psp, "/charges");
        psp.toBlocking().retrieve(HttpRequest.POST("/charges", "{\"id\":\"o-2\"}"));
    }

    @SendsIdempotencyKey
    public void oneListFilledTwice() {
        List<PspClient.Order> chunk = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            chunk.add(PspApplication.ORDER);
            psp.toBlocking().retrieve(HttpRequest.POST("/charges", chunk));
        }
    }

    /** Sets another key for each request. */
    @Order(0)
    @ClientFilter("/random-key/**")
    @Requires(property = "test.psp")
    static class RandomKeyFilter {

        @RequestFilter
        void key(MutableHttpRequest<?> request) {
            request.header("Idempotency-Key", UUID.randomUUID().toString());
        }
    }

    /** As security modules do: fetches a token with a request of its own, at the order that they have. */
    @Order(0)
    @ClientFilter("/with-token/**")
    @Requires(property = "test.psp")
    static class TokenFilter {

        private final Provider<LowLevel> clients;

        TokenFilter(Provider<LowLevel> clients) {
            this.clients = clients;
        }

        /** The request, because Micronaut does not wait for a publisher of nothing. */
        @RequestFilter
        Mono<MutableHttpRequest<?>> token(MutableHttpRequest<?> request) {
            return Mono.from(clients.get().other.retrieve(post("/tokens"))).map(token -> request.bearerAuth("t"));
        }
    }

    /** As where requests are signed: changes the application's own request. */
    @Order(0)
    @ClientFilter("/signed/**")
    @Requires(property = "test.psp")
    static class SigningFilter {

        @RequestFilter
        void sign(MutableHttpRequest<?> request) {
            request.uri(UriBuilder.of(request.getUri())
                    .replaceQueryParam("at", System.nanoTime())
                    .build());
        }
    }

    /** What an application may have had before. */
    @Order(0)
    @ClientFilter("/own-key/**")
    @Requires(property = "test.psp")
    static class OwnKeyFilter {

        @RequestFilter
        void key(MutableHttpRequest<?> request) {
            request.header("Idempotency-Key", "of the filter");
        }
    }

    @SendsIdempotencyKey
    public void withToken() {
        send(psp, "/with-token/charges");
    }
}
