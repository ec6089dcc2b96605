package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.lost;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.MissingIdempotencyKeyException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Keys of requests that are made by hand. */
@MicronautTest(startApplication = false)
class LowLevelClientTest extends PspApplication {

    @Inject
    LowLevel clients;

    private void assertOneKeyIn(int attempts) {
        assertThat(server.keys()).hasSize(attempts);
        assertThat(server.keys().stream().distinct()).singleElement().asString().isNotEmpty();
    }

    @Test
    void aMethodsRequestCarriesTheMethodsKeyOnEveryAttempt() {
        server.answer(lost(), plain(503), created());
        clients.charge();
        assertOneKeyIn(3);
        clients.charge();
        assertThat(server.keys().stream().distinct()).hasSize(2);
    }

    @Test
    void reactiveAndFutureMethodsDoTheSame() {
        server.answer(lost(), plain(503), created());
        clients.chargeMono().block();
        assertOneKeyIn(3);
        server.answer(lost(), plain(503), created());
        clients.chargeStage().toCompletableFuture().join();
        assertOneKeyIn(3);
    }

    @Test
    void everyAttemptOfRetryableCarriesTheSameKey() {
        server.answer(plain(503), plain(503), created());
        clients.retryable();
        assertOneKeyIn(3);
    }

    @Test
    void aKeyParameterIsSentAsItIs() {
        clients.keyed(42);
        assertThat(server.keys()).containsExactly("42");
    }

    @Test
    void refusalsAreTyped() {
        server.answer(problem(422, "key-reused", "no", "new-key"));
        assertThatThrownBy(() -> clients.charge()).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThatThrownBy(() -> clients.chargeMono().block()).isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    void aSecondRequestIsRefusedRatherThanSentUnderTheFirstOnesKey() {
        assertThatThrownBy(() -> clients.twoRequests())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LowLevel#twoRequests")
                .hasMessageContaining("POST psp/mails");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void twoQueriesAreTwoRequests() {
        assertThatThrownBy(() -> clients.twoQueries())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LowLevel#twoQueries")
                .hasMessageContaining("their queries and bodies count")
                .hasMessageNotContaining("order=");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void twoBodiesAreTwoRequests() {
        assertThatThrownBy(() -> clients.twoBodies())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LowLevel#twoBodies");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aBodyThatIsFilledAgainIsAnotherBody() {
        assertThatThrownBy(() -> clients.oneListFilledTwice()).isInstanceOf(IllegalStateException.class);
        assertThat(server.seen()).hasSize(1);
    }

    /** Micronaut's filters change the application's own request. */
    @Test
    void aRequestThatIsUsedAgainCarriesTheKeyOfTheCallItIsSentFor() {
        MutableHttpRequest<Object> request = HttpRequest.POST("/charges", PspApplication.ORDER);
        IdempotencyKeys.with("k-1", () -> clients.psp.toBlocking().retrieve(request));
        request.body(new PspClient.Order("o-2", BigDecimal.ONE));
        IdempotencyKeys.with("k-2", () -> clients.psp.toBlocking().retrieve(request));
        assertThat(server.keys()).containsExactly("k-1", "k-2");
        request.getHeaders().remove("Idempotency-Key");
        request.header("Idempotency-Key", "mine");
        IdempotencyKeys.with("k-3", () -> clients.psp.toBlocking().retrieve(request));
        assertThat(server.keys()).containsExactly("k-1", "k-2", "mine");
    }

    /** Retries of the application's own may run where the call is not known. */
    @Test
    void aRequestThatIsSentAgainForItsCallOrForNoneKeepsItsKey() {
        MutableHttpRequest<Object> request = HttpRequest.POST("/charges", PspApplication.ORDER);
        IdempotencyKeys.with("k-1", () -> {
            clients.psp.toBlocking().retrieve(request);
            return clients.psp.toBlocking().retrieve(request);
        });
        clients.psp.toBlocking().retrieve(request);
        assertThat(server.keys()).containsExactly("k-1", "k-1", "k-1");
    }

    @Test
    void anotherAttemptMayHaveAnotherQuery() {
        server.answer(plain(503), created());
        clients.signed();
        assertThat(server.keys())
                .hasSize(2)
                .doesNotContain("")
                .containsOnly(server.keys().get(0));
    }

    @Test
    void theKeyGoesToTheServiceThatIsNamed() {
        clients.twoRequestsOfWhichOneIsMeant();
        assertThat(server.keys().get(0)).isEmpty();
        assertThat(server.keys().get(1)).isNotEmpty();
    }

    @Test
    void aRequestThatAFilterSendsOnItsOwnDoesNotCarryTheKey() {
        clients.withToken();
        assertThat(server.seen())
                .extracting(seen -> seen.request() + " " + seen.keys().size())
                .containsExactly("POST /tokens 0", "POST /with-token/charges 1");
    }

    @Test
    void aHeaderThatAFilterSetsIsLeftAlone() {
        IdempotencyKeys.with("k-1", () -> LowLevel.send(clients.psp, "/own-key/charges"));
        assertThat(server.keys()).containsExactly("of the filter");
    }

    @Test
    void aKeyCanBeGivenToACallByHand() {
        // tag::hand[]
        IdempotencyKeys.with("k-1", () -> LowLevel.send(clients.psp, "/charges"));
        // end::hand[]
        Mono.from(IdempotencyKeys.with("k-2", () -> clients.psp.retrieve(LowLevel.post("/charges"))))
                .block();
        LowLevel.send(clients.psp, "/charges");
        assertThat(server.keys()).containsExactly("k-1", "k-2", "");
        assertThatThrownBy(() -> IdempotencyKeys.with("", () -> "")).isInstanceOf(MissingIdempotencyKeyException.class);
    }

    @Test
    void aHeaderThatTheApplicationSetsIsLeftAloneAndSafeRequestsCarryNone() {
        IdempotencyKeys.with(
                "k-1",
                () -> clients.psp
                        .toBlocking()
                        .retrieve(LowLevel.post("/charges").header("Idempotency-Key", "mine")));
        IdempotencyKeys.with("k-1", () -> clients.psp.toBlocking().retrieve(HttpRequest.GET("/charges")));
        assertThat(server.keys()).containsExactly("mine", "");
    }
}
