package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our client against our server, over a connection that breaks. */
@MicronautTest
@Property(name = "test.till", value = "true")
@Property(name = "test.timer", value = "true")
class BothSidesTest {

    @Inject
    Till till;

    @Inject
    Till.TillClient client;

    @Inject
    RecordingTimer timer;

    private final String key = UUID.randomUUID().toString();

    private final LogLines log = LogLines.ofLibrary().from(Level.DEBUG);

    @AfterEach
    void stopListening() {
        log.close();
    }

    @BeforeEach
    void reset() {
        till.reset();
        timer.delays.clear();
        timer.open = CompletableFuture.completedFuture(null);
    }

    @Test
    void howeverManyAnswersAreLostTheBodyRunsOnceAndItsAnswerArrives() {
        till.lose.set(3);
        assertThat(client.sell("pen")).isEqualTo("sold pen 1");
        assertThat(till.requests).hasValue(4);
        assertThat(till.bodies).hasValue(1);
    }

    @Test
    void aDuplicateOfARunningRequestComesBackUntilItHasTheAnswer() throws InterruptedException {
        till.mayEnd = new CountDownLatch(1);
        timer.open = new CompletableFuture<>();
        CompletionStage<String> first = client.sellLater("pen", key);
        till.begun.await();
        CompletionStage<String> duplicate = client.sellLater("pen", key);
        Awaitility.await().until(() -> timer.delays.size() == 1);
        till.mayEnd.countDown();
        assertThat(first.toCompletableFuture().join()).isEqualTo("sold pen 1");
        timer.open.complete(null);
        assertThat(duplicate.toCompletableFuture().join()).isEqualTo("sold pen 1");
        assertThat(till.requests).hasValue(3);
        assertThat(till.bodies).hasValue(1);
    }

    @Test
    void aReusedKeyIsRefusedOnceAndTyped() {
        client.sell("pen", key);
        assertThatThrownBy(() -> client.sell("ink", key))
                .isInstanceOf(IdempotencyKeyReusedException.class)
                .hasMessageContaining("operation: sell");
        assertThat(till.requests).hasValue(2);
    }

    @Test
    void whatASystemBehindRefusesIsNotSaidOfTheRequestsOwnKey() {
        assertThatThrownBy(() -> client.mistake(key))
                .isExactlyInstanceOf(HttpClientResponseException.class)
                .satisfies(e ->
                        assertThat(((HttpClientResponseException) e).code()).isEqualTo(502));
        assertThat(log.messages())
                .filteredOn(line -> line.contains("is answered 502"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith(": the called system '/till' answered 422 key-reused"));
    }

    /** The refusal is the operation's own, although another system's answer caused it. */
    @Test
    void whatAReconcilerIsRefusedIsNotSaidInPlaceOfTheKeysOwnState() {
        assertThatThrownBy(() -> client.sellAbroad("pen"))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("operation: sell-abroad");
    }

    @Test
    void aRouteThatAnotherSystemRefusedLeavesItsOwnKeyInDoubt() {
        // the client repeats the first answer, a 502
        assertThatThrownBy(() -> client.mistakeKeyed(key, key + "-own")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(till.bodies).hasValue(2);
    }

    @Test
    void everyPrintableCharacterOfAKeyArrives() {
        for (char c = ' '; c <= '~'; c++) {
            assertThat(client.sell("pen", key + c + "k")).startsWith("sold pen");
        }
    }

    @Test
    void aKeyThatACallToAnotherSystemLacksIsNotSaidOfTheRequestsOwnKey() {
        assertThatThrownBy(() -> client.mistake(" "))
                .isExactlyInstanceOf(HttpClientResponseException.class)
                .satisfies(e -> {
                    HttpClientResponseException answered = (HttpClientResponseException) e;
                    assertThat(answered.code()).isEqualTo(502);
                    assertThat(answered.getResponse().header("Idempotency-Status"))
                            .isNull();
                    assertThat(answered).hasMessageNotContaining("TillClient");
                });
        assertThat(till.requests).hasValue(0);
    }
}
