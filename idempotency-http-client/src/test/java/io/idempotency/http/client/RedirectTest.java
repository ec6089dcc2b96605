package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** A redirect to somebody else carries neither the key nor the body on. */
@MicronautTest(startApplication = false)
class RedirectTest extends PspApplication {

    private final ScriptedServer other = new ScriptedServer();

    @Inject
    @Client("psp")
    HttpClient http;

    @AfterAll
    void stopOther() {
        other.close();
    }

    private void redirected(int status, String to) {
        server.answer(plain(status).with("Location", to), created());
        other.answer(created());
    }

    @ParameterizedTest
    @ValueSource(ints = {307, 308})
    void aRequestIsNotSentToSomebodyElse(int status) {
        redirected(status, other.url() + "/charges");
        assertThatThrownBy(() -> psp.charge(ORDER)).hasStackTraceContaining("was redirected to " + other.url());
        redirected(status, other.url() + "/charges");
        assertThatThrownBy(() -> psp.chargeMono(ORDER).block()).hasStackTraceContaining("was redirected to");
        assertThat(other.seen()).isEmpty();
    }

    @Test
    void norIsOneWhoseKeyTheApplicationWrote() {
        redirected(307, other.url() + "/charges");
        assertThatThrownBy(() -> http.toBlocking().exchange(keyed("/charges")))
                .hasStackTraceContaining("was redirected to");
        assertThat(other.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303})
    void aGetThatFollowsCarriesNoKey(int status) {
        redirected(status, other.url() + "/charges/1");
        assertThat(psp.charge(ORDER).id()).isEqualTo("ch-1");
        assertThat(other.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.request()).isEqualTo("GET /charges/1");
            assertThat(seen.keys()).isEmpty();
            assertThat(seen.body()).isEmpty();
        });
    }

    @Test
    void aKeyOfTheApplicationsMayGoToTwoSystemsOneAfterTheOther() {
        server.answer(created());
        other.answer(created());
        Mono.from(http.exchange(keyed("/charges")))
                .flatMap(answer -> Mono.from(http.exchange(keyed(other.url() + "/charges"))))
                .block();
        http.toBlocking().exchange(keyed("/charges"));
        http.toBlocking().exchange(keyed(other.url() + "/charges"));
        assertThat(other.seen())
                .hasSize(2)
                .allSatisfy(seen -> assertThat(seen.keys()).containsExactly("own"));
    }

    private static HttpRequest<?> keyed(String uri) {
        return HttpRequest.POST(uri, ORDER).header("Idempotency-Key", "own");
    }

    @Test
    void theSameAuthorityGetsTheSameKeyAndBody() {
        redirected(307, "/charges/here");
        assertThat(psp.charge(ORDER).id()).isEqualTo("ch-1");
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
        assertThat(server.seen().get(1).body()).isEqualTo(server.seen().get(0).body());
    }

    @Test
    void norDoesItGoOnFromThere() {
        server.answer(
                plain(307).with("Location", "/charges/here"), plain(307).with("Location", other.url() + "/charges"));
        other.answer(created());
        assertThatThrownBy(() -> psp.charge(ORDER)).hasStackTraceContaining("was redirected to");
        assertThat(other.seen()).isEmpty();
    }
}
