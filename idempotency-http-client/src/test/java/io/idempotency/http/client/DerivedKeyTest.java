package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.http.HttpRequest;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls made inside an operation. */
@MicronautTest(startApplication = false)
class DerivedKeyTest extends PspApplication {

    private static final PspClient.Order OTHER = new PspClient.Order("o-2", BigDecimal.ONE);

    private String id;

    @Inject
    Shop shop;

    @Inject
    LowLevel lowLevel;

    @BeforeEach
    void newKey() {
        id = UUID.randomUUID().toString();
    }

    @SafeVarargs
    private String buy(Consumer<PspClient>... calls) {
        return shop.buy(id, List.of(calls));
    }

    @Test
    void insideAnOperationTheKeyIsDerivedFromTheOperations() {
        assertThat(server.keys()).isEmpty();
        String derived = buy(client -> client.once(ORDER));
        assertThat(server.keys()).containsExactly(derived);
        assertThat(shop.buyMono(id).block()).isEqualTo(server.keys().get(1));
        assertThat(shop.buyStage(id).toCompletableFuture().join())
                .isEqualTo(server.keys().get(2));
    }

    @Test
    void soItIsWhereAReactiveBodyHasGoneToAnotherThread() {
        server.answer(plain(503), created());
        assertThat(shop.buyElsewhere(id, client -> client.chargeMono(ORDER)).block())
                .isEqualTo(server.keys().get(0))
                .isEqualTo(server.keys().get(1));
        newKey();
        assertThat(shop.buyElsewhere(id, client -> lowLevel.chargeMonoAsThePspDoes())
                        .block())
                .isEqualTo(server.keys().get(2));
    }

    @Test
    void theNextAttemptAtTheOperationSendsTheSameKey() {
        server.answer(plain(503), created());
        assertThatThrownBy(() -> buy(client -> client.once(ORDER))).isNotNull();
        buy(client -> client.once(ORDER));
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    @Test
    void everyMethodHasAKeyOfItsOwn() {
        buy(client -> client.once(ORDER), client -> client.charge(ORDER), client -> client.traced(ORDER, "t"));
        assertThat(server.keys()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void theSameCallAgainIsTheSameIntentWhateverDoesNotCount() {
        buy(client -> client.traced(ORDER, "t-1"), client -> client.traced(copyOf(ORDER), "t-2"));
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    private static PspClient.Order copyOf(PspClient.Order order) {
        return new PspClient.Order(order.id(), order.amount());
    }

    @Test
    void aSecondCallForOtherArgumentsIsRefusedRatherThanSentUnderTheFirstOnesKey() {
        assertThatThrownBy(() -> buy(client -> client.once(ORDER), client -> client.once(OTHER)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'buy'")
                .hasMessageContaining("PspClient#once")
                .hasMessageContaining("This call was not made");
        assertThat(server.seen()).hasSize(1);
    }

    static Stream<List<Consumer<DerivedKeyTest>>> requests() {
        return Stream.of(
                List.of(test -> test.psp.authorize(ORDER), test -> test.psp.capture(ORDER)),
                List.of(test -> test.psp.capture(ORDER), test -> test.psp.replace(ORDER)),
                List.of(test -> test.lowLevel.authorize(), test -> test.lowLevel.capture()));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void soIsAnotherRequestOfTheSameName(List<Consumer<DerivedKeyTest>> calls) {
        assertThatThrownBy(() -> buy(
                        client -> calls.get(0).accept(this),
                        client -> calls.get(0).accept(this),
                        client -> calls.get(1).accept(this)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This call was not made");
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    @Test
    void twoMethodsThatSendTheSameRequestUnderOneNameAreOneIntent() {
        buy(
                client -> client.capture(ORDER),
                client -> client.captureLater(ORDER).block());
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    /** Applications reuse a list, a map or an array for the next part of their data. */
    @Test
    void whatIsFilledAgainIsAnotherIntentAndACopyOfItIsTheSame() {
        List<PspClient.Order> chunk = new ArrayList<>(List.of(ORDER));
        assertSentOnce(
                client -> client.chunk(chunk), client -> client.chunk(List.of(ORDER)), () -> chunk.set(0, OTHER));
        Map<String, BigDecimal> amounts = new HashMap<>(Map.of("o-1", BigDecimal.ONE));
        assertSentOnce(
                client -> client.amounts(amounts),
                client -> client.amounts(Map.of("o-1", BigDecimal.ONE)),
                () -> amounts.put("o-1", BigDecimal.TEN));
        byte[] content = {1, 2};
        assertSentOnce(
                client -> client.bytes(content), client -> client.bytes(new byte[] {1, 2}), () -> content[0] = 3);
        long[] ids = {1, 2};
        assertSentOnce(client -> client.ids(ids), client -> client.ids(new long[] {1, 2}), () -> ids[0] = 3);
    }

    @Test
    void aListThatHoldsItselfIsSent() {
        List<Object> tree = new ArrayList<>();
        tree.add(tree);
        buy(client -> lowLevel.chargeFor(tree));
        assertThat(server.keys()).hasSize(1).doesNotContain("");
    }

    private void assertSentOnce(Consumer<PspClient> call, Consumer<PspClient> equal, Runnable filledAgain) {
        server.answer(created());
        newKey();
        Consumer<PspClient> again = client -> {
            filledAgain.run();
            call.accept(client);
        };
        assertThatThrownBy(() -> buy(call, equal, again))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This call was not made");
        assertThat(server.seen()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    private static final class Bean {

        private String text = "a";

        @Override
        public boolean equals(Object other) {
            return other instanceof Bean bean && bean.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    @Test
    void aBeanThatIsChangedIsEqualToItselfAlsoInASetOrAsAKey() {
        Bean bean = new Bean();
        assertSentOnce(
                () -> List.of(Set.of(bean), Map.of(bean, 1)),
                () -> {
                    bean.text = "b";
                    return List.of(Set.of(bean), Map.of(bean, 1));
                },
                () -> List.of(Set.of(new Bean()), Map.of(bean, 1)));
    }

    @Test
    void theOrderOfASetDoesNotCount() {
        assertSentOnce(
                () -> new LinkedHashSet<>(List.of(1, 2)),
                () -> new LinkedHashSet<>(List.of(2, 1)),
                () -> new LinkedHashSet<>(List.of(2, 3)));
    }

    private void assertSentOnce(Supplier<Object> first, Supplier<Object> equal, Supplier<Object> other) {
        assertThatThrownBy(() -> buy(
                        client -> lowLevel.chargeFor(first.get()),
                        client -> lowLevel.chargeFor(equal.get()),
                        client -> lowLevel.chargeFor(other.get())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This call was not made");
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    /** A copy of what is large would be held for nothing. */
    @Test
    void outsideOfAnOperationNoArgumentIsRead() {
        List<String> unreadable = new AbstractList<>() {
            @Override
            public String get(int index) {
                throw new IllegalStateException("read");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        lowLevel.chargeFor(unreadable);
        assertThat(server.keys()).hasSize(1).doesNotContain("");
    }

    /** The header that the application set is sent by each of the first two. */
    @Test
    void aCallThatTookNoKeyIsNoIntentOfTheOperation() {
        HttpRequest<?> own = LowLevel.post("/charges").header("Idempotency-Key", "mine");
        buy(
                client -> lowLevel.sent(own),
                client -> lowLevel.sent(own),
                client -> lowLevel.sent(LowLevel.post("/charges")));
        assertThat(server.keys()).hasSize(3).startsWith("mine", "mine").doesNotContain("");
    }

    @Test
    void callsThatNameTheirKeysAreNotHeldTogether() {
        buy(client -> client.keyed(ORDER, "a"), client -> client.keyed(OTHER, "b"));
        assertThat(server.keys()).containsExactly("a", "b");
    }

    @Test
    void aMethodThatIsAnOperationItselfIsSentUnderAKeyDerivedFromItsOwn() {
        server.answer(plain(503), created());
        psp.chargeOnce(ORDER, id);
        psp.chargeOnce(ORDER, id);
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct())
                .containsExactly(RecordId.of("psp-charge", null, null, id).derive("psp"));
    }

    @Test
    void aRefusalThatLeavesTheOutcomeOpenLeavesTheOperationsOpen() {
        server.answer(problem(409, "outcome-unknown", "unknown", "never"));
        assertThatThrownBy(() -> psp.chargeOnce(ORDER, id)).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> psp.chargeOnce(ORDER, id))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("psp-charge");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aRefusalThatSaysItDidNothingIsFinalWhateverItsStatus() {
        server.answer(problem(503, "key-reused", "no", "new-key"));
        assertThatThrownBy(() -> psp.chargeOnce(ORDER, id)).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThatThrownBy(() -> psp.chargeOnce(ORDER, id)).isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(server.seen()).hasSize(1);
    }
}
