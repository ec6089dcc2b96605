package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.engine.StandingTime;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Annotated bean methods of every shape, as an application has them. */
@MicronautTest
class InterceptionTest {

    @Inject
    OrderService service;

    @Inject
    BrokenListener broken;

    private final String id = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        service.bodies.set(0);
    }

    @Test
    void aRetryGetsTheFirstResultWhateverIsNotFingerprinted() {
        Receipt first = service.charge(Order.of(id, "12.50"), "trace-1");
        assertThat(service.charge(Order.of(id, "12.50"), "trace-2")).isEqualTo(first);
        assertThat(service.charge(Order.of(id, "12.5"), null)).isEqualTo(first);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void otherArgumentsAreRefused() {
        service.charge(Order.of(id, "12.50"), null);
        assertThatThrownBy(() -> service.charge(Order.of(id, "99.00"), null))
                .isInstanceOf(IdempotencyKeyReusedException.class)
                .hasMessageContaining("'charge'");
    }

    @Test
    void voidNullOptionalGenericAndBinaryResultsAreReplayed() {
        service.nothing(id);
        service.nothing(id);
        assertThat(service.bodies).hasValue(1);

        assertThat(service.returnsNull(id)).isNull();
        assertThat(service.returnsNull(id)).isNull();
        assertThat(service.bodies).hasValue(2);

        assertThat(service.maybe(id, false)).isEmpty();
        assertThat(service.maybe(id, false)).isEmpty();
        assertThat(service.maybe(id + "'", true))
                .isEqualTo(service.maybe(id + "'", true))
                .isPresent();
        assertThat(service.bodies).hasValue(4);

        assertThat(service.generic(id)).isEqualTo(service.generic(id));
        assertThat(service.bytes(id)).isEqualTo(service.bytes(id)).hasSize(3);
        assertThat(service.bodies).hasValue(6);
    }

    @Test
    void whatIsEmptyInAResultIsReplayedAsEmptyAndNotAsNull() {
        Sparse first = service.sparse(id);
        assertThat(service.sparse(id)).isEqualTo(first);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void asynchronousMethodsAreReplayedToo() {
        Receipt first = service.later(id).toCompletableFuture().join();
        assertThat(service.later(id).toCompletableFuture().join()).isEqualTo(first);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void aReactiveMethodClaimsWhenItIsSubscribedToAndOncePerSubscription() {
        Mono<Receipt> mono = service.reactive(id);
        assertThat(service.bodies).hasValue(0);
        Receipt first = mono.block();
        assertThat(mono.block()).isEqualTo(first);
        assertThat(service.reactive(id).block()).isEqualTo(first);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void aReactiveCallBelongsToTheCallerThatMadeItWhereverItIsSubscribedTo() {
        HttpRequest<Object> request = HttpRequest.GET("/");
        request.setAttribute(HttpAttributes.PRINCIPAL, (Principal) () -> "alice");
        Mono<Receipt> mono = ServerRequestContext.with(request, (Supplier<Mono<Receipt>>) () -> service.reactive(id));
        Receipt first = ServerRequestContext.with(request, (Supplier<Receipt>) mono::block);
        assertThat(mono.block()).isEqualTo(first);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void whatAListenerThrowsDoesNotReplaceTheOutcome() {
        broken.on = true;
        try {
            assertThat(service.optionalKey(null)).isEqualTo(1);
            assertThat(service.optionalKey(id)).isEqualTo(2);
            assertThat(service.later(id).toCompletableFuture().join()).isNotNull();
        } finally {
            broken.on = false;
        }
    }

    @Test
    void methodsThatAreNotPublicAreProtected() {
        assertThat(service.visibleToThePackage(id)).isEqualTo(service.visibleToThePackage(id));
    }

    @Test
    void severalKeyParametersAreFramedAndTyped() {
        assertThat(service.twoKeys(id, 11)).isEqualTo(service.twoKeys(id, 11));
        assertThat(service.twoKeys(id + "1", 1)).isEqualTo(2);
    }

    @Test
    void withoutAKeyTheArgumentsAreTheKeyAndAreFramed() {
        assertThat(service.byArguments(id, "bc")).isEqualTo(1);
        assertThat(service.byArguments(id, "bc")).isEqualTo(1);
        assertThat(service.byArguments(id + "b", "c")).isEqualTo(2);
    }

    @Test
    void aNullEmptyOrBlankKeyIsRefusedAndTheBodyDoesNotRun() {
        for (String none : new String[] {null, "", " ", "\t\n", "\u00a0\u3000"}) {
            assertThatThrownBy(() -> service.nothing(none))
                    .isInstanceOf(MissingIdempotencyKeyException.class)
                    .hasMessageContaining("'id'")
                    .hasMessageContaining("did not run");
        }
        assertThat(service.bodies).hasValue(0);
    }

    @Test
    void whereTheKeyIsOptionalACallWithoutOneRunsUnprotected() {
        assertThat(service.optionalKey(null)).isEqualTo(1);
        assertThat(service.optionalKey(null)).isEqualTo(2);
        assertThat(service.optionalKey(id)).isEqualTo(3);
        assertThat(service.optionalKey(id)).isEqualTo(3);
    }

    @Test
    void theFirstCallerGetsTheBodysOwnCheckedExceptionAndTheSecondWhatIsRemembered() {
        assertThatThrownBy(() -> service.failsChecked(id)).isInstanceOf(OrderService.CheckedFailure.class);
        assertThatThrownBy(() -> service.failsChecked(id))
                .isInstanceOf(PreviousAttemptFailedException.class)
                .hasMessageContaining("CheckedFailure");
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void aBodyThatChangesItsArgumentsDoesNotChangeTheKeyOfItsRecord() {
        assertThat(service.mutatesItsArguments(new OrderService.Mutable(id))).isEqualTo(1);
        assertThat(service.mutatesItsArguments(new OrderService.Mutable(id))).isEqualTo(1);
        assertThat(service.mutatesItsArguments(new OrderService.Mutable("changed")))
                .isEqualTo(2);
    }

    @Test
    void theContextIsThereInTheBodyAndNowhereElse() {
        assertThat(service.derives(id))
                .isEqualTo(RecordId.of("derives", null, null, id).derive("psp"));
        assertThat(IdempotencyContext.find()).isEmpty();
        assertThatThrownBy(IdempotencyContext::current).hasMessageContaining("No idempotent operation is running");
    }

    @Test
    void overloadsAreOperationsOfTheirOwn() {
        assertThat(service.overloaded(id)).isEqualTo(1);
        assertThat(service.overloaded(id, 3)).isEqualTo(2);
        assertThat(service.overloaded(id)).isEqualTo(1);
    }

    @Test
    void aLeaseShorterThanTheBodyIsRenewedSoThatWaitersGetOneResult() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("idempotency.store", "memory", "test.standing-time", true))) {
            OrderService there = context.getBean(OrderService.class);
            there.behaviour = () -> {
                await(go);
                return "one";
            };
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(threads.submit(() -> there.waits(id)));
            }
            Awaitility.await().until(() -> there.bodies.get() == 1);
            runsLongerThanItsLease(context);
            go.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("one");
            }
            assertThat(there.bodies).hasValue(1);
        } finally {
            go.countDown();
            threads.shutdownNow();
        }
    }

    private static void runsLongerThanItsLease(ApplicationContext context) {
        IdempotencyStore there = context.getBean(IdempotencyStore.class, Qualifiers.byName("memory"));
        for (int i = 0; i < 5; i++) {
            context.getBean(StandingTime.class).skip(OrderService.LEASE.dividedBy(3));
            Awaitility.await()
                    .until(() -> running(there).remainingLease().equals(OrderService.LEASE)
                            && HangingStoreTest.idle("idempotency-memory"));
        }
        StoredRecord record = running(there);
        assertThat(Duration.between(record.claimedAt(), record.readAt())).isGreaterThan(OrderService.LEASE);
    }

    private static StoredRecord running(IdempotencyStore store) {
        return store.list(new RecordQuery(RecordState.IN_PROGRESS, "taken-over", Duration.ZERO, null, 10))
                .get(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails when it is told to. */
    @Singleton
    static class BrokenListener implements OutcomeListener {
        volatile boolean on;

        @Override
        public void onOutcome(Call call, Outcome outcome) {
            fail();
        }

        @Override
        public void onUnprotected(String operation) {
            fail();
        }

        private void fail() {
            if (on) {
                throw new IllegalStateException("listener");
            }
        }
    }
}
