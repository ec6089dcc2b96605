package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Which key goes with a request of a declarative client. */
@MicronautTest(startApplication = false)
class SentKeyTest extends PspApplication {

    @Test
    void everyCallSendsANewUuidOfVersionSeven() {
        psp.once(ORDER);
        psp.once(ORDER);
        assertThat(server.keys()).hasSize(2).doesNotHaveDuplicates();
        assertThat(server.keys())
                .allSatisfy(key -> assertThat(UUID.fromString(key).version()).isEqualTo(7));
    }

    @Test
    void aKeyParameterIsSentAsItIs() {
        UUID uuid = UUID.randomUUID();
        psp.keyed(ORDER, "k-1");
        psp.keyedByUuid(ORDER, uuid);
        assertThat(server.keys()).containsExactly("k-1", uuid.toString());
        assertThat(server.seen().get(0).body()).doesNotContain("k-1");
    }

    @Test
    void anExpressionOverTheParametersIsTheKey() {
        psp.keyedByExpression(ORDER);
        assertThat(server.keys()).containsExactly("o-1");
    }

    /** Where it sends is configured, as in most applications. */
    @Client("${test.psp.service:psp}")
    @Requires(property = "test.psp")
    interface ConfiguredClient {
        @Post("/charges")
        @SendsIdempotencyKey(key = "#{ order.id() }")
        PspClient.Charge charge(@Body PspClient.Order order);
    }

    @Test
    void anExpressionIsTheKeyWhereTheClientsAddressIsAPlaceholder(ConfiguredClient configured) {
        configured.charge(ORDER);
        assertThat(server.keys()).containsExactly("o-1");
    }

    @Test
    void aHeaderThatTheApplicationSetsIsLeftAlone() {
        psp.keyedByHeader(ORDER, "mine");
        assertThat(server.keys()).containsExactly("mine");
    }

    @ParameterizedTest
    @NullAndEmptySource
    void aKeyThatIsNullOrEmptyIsRefusedAndNothingIsSent(String key) {
        assertThatThrownBy(() -> psp.keyed(ORDER, key))
                .isInstanceOf(MissingIdempotencyKeyException.class)
                .hasMessageContaining("PspClient#keyed")
                .hasMessageContaining("Nothing was sent");
        assertThat(server.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"line\nbreak", "naïve", "\u007f"})
    void aKeyThatNoHeaderCanCarryIsRefusedAndNothingIsSent(String key) {
        assertThatThrownBy(() -> psp.keyed(ORDER, key)).isInstanceOf(InvalidIdempotencyKeyException.class);
        assertThatThrownBy(() -> psp.keyed(ORDER, "k".repeat(256))).isInstanceOf(InvalidIdempotencyKeyException.class);
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void aKeyWithSpacesCommasSemicolonsOrQuotesIsSentInQuotes() {
        psp.keyed(ORDER, "a, \"b\" \\ c");
        assertThat(server.keys()).containsExactly("\"a, \\\"b\\\" \\\\ c\"");
    }

    @Test
    void ofAMarkedTypeOnlyRequestsThatAreNotIdempotentByThemselvesCarryAKey() {
        psp.get();
        psp.put(ORDER);
        psp.patch(ORDER);
        psp.markedPut(ORDER);
        psp.composedPut(ORDER);
        assertThat(server.seen())
                .extracting(
                        seen -> seen.request().split(" ")[0] + " " + seen.keys().size())
                .containsExactly("GET 0", "PUT 0", "PATCH 1", "PUT 1", "PUT 1");
    }

    @Test
    void aRedirectIsFollowedWithTheSameKey() {
        server.answer(plain(307).with("Location", "/moved"), created());
        psp.once(ORDER);
        assertThat(server.seen()).extracting(ScriptedServer.Seen::request).containsExactly("POST /once", "POST /moved");
        assertThat(server.keys().stream().distinct()).singleElement().asString().isNotEmpty();
    }

    @Test
    void everyAttemptOfRetryableCarriesTheSameKey() {
        server.answer(plain(503), plain(500), created());
        assertThat(psp.retryable(ORDER).id()).isEqualTo("ch-1");
        assertOneKeyInThreeAttempts();

        server.answer(plain(503), plain(500), created());
        assertThat(psp.retryableMono(ORDER).block().id()).isEqualTo("ch-1");
        assertOneKeyInThreeAttempts();

        server.answer(plain(503), plain(500), created());
        assertThat(psp.retryableStage(ORDER).toCompletableFuture().join().id()).isEqualTo("ch-1");
        assertOneKeyInThreeAttempts();
    }

    private void assertOneKeyInThreeAttempts() {
        assertThat(server.keys()).hasSize(3);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    @Test
    void subscribingAgainIsTheSameCallAndCallingAgainIsAnother() {
        server.answer(plain(503), plain(503), plain(503), plain(503), created());
        Mono<PspClient.Charge> call = psp.chargeMono(ORDER);
        assertThatThrownBy(call::block).isNotNull();
        call.block();
        assertThat(server.keys()).hasSize(5);
        assertThat(server.keys().stream().distinct()).hasSize(1);
        psp.chargeMono(ORDER).block();
        assertThat(server.keys().stream().distinct()).hasSize(2);
    }
}
