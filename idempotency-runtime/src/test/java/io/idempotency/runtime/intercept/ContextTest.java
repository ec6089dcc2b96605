package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyContext;
import io.micronaut.context.ApplicationContext;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What surrounds a call is there in the body and in what follows, whichever threads the store and the body answer on. */
class ContextTest {

    private static final Map<String, ApplicationContext> CONTEXTS = new ConcurrentHashMap<>();
    private static final Surroundings ALICE = Surroundings.named("alice");
    private static final Surroundings BOB = Surroundings.named("bob");

    private final String id = UUID.randomUUID().toString();
    private final AtomicReference<Surroundings> inBody = new AtomicReference<>();

    private static ApplicationContext context(String store) {
        return CONTEXTS.computeIfAbsent(
                store,
                name -> ApplicationContext.run(Map.of(
                        "test.stores", true, "idempotency.store", name, "idempotency.when-in-progress", "WAIT")));
    }

    @AfterAll
    static void close() {
        CONTEXTS.values().forEach(ApplicationContext::close);
        CONTEXTS.clear();
    }

    static Stream<Arguments> kindsAndStores() {
        return Stream.of("memory", "blocking", "other")
                .flatMap(store -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(kind, store)));
    }

    private LaterService service(String store, Supplier<CompletableFuture<String>> body) {
        LaterService service = context(store).getBean(LaterService.class);
        service.body = () -> {
            inBody.set(Surroundings.here());
            assertThat(IdempotencyContext.find()).isPresent();
            return body.get();
        };
        return service;
    }

    private CompletableFuture<Surroundings> after(Surroundings caller, Kind kind, LaterService service) {
        return caller.call(false, () -> kind.call(service, id).thenApply(answer -> Surroundings.here()));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("kindsAndStores")
    void itIsThereInTheBodyAndAfterTheFirstCallAWaitAndAReplay(Kind kind, String store) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        LaterService service = service(store, () -> answer);
        CompletableFuture<Surroundings> first = after(ALICE, kind, service);
        CompletableFuture<Surroundings> waiter = after(ALICE, kind, service);
        CompletableFuture.runAsync(() -> answer.complete("done"));

        assertThat(first.join()).isEqualTo(ALICE);
        assertThat(inBody).hasValue(ALICE);
        assertThat(waiter.join()).isEqualTo(ALICE);
        assertThat(after(ALICE, kind, service).join()).isEqualTo(ALICE);
        assertThat(Surroundings.here()).isEqualTo(Surroundings.named(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "blocking", "other"})
    void aSynchronousBodySeesItAsItIsNowWhetherMicronautPropagatesTheLoggingContextOrNot(String store) {
        LaterService service = service(store, () -> CompletableFuture.completedFuture("done"));
        for (boolean known : List.of(true, false)) {
            Surroundings after = ALICE.call(known, () -> {
                service.now(id + known);
                return Surroundings.here();
            });
            assertThat(inBody).hasValue(ALICE);
            assertThat(after).isEqualTo(ALICE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "blocking", "other"})
    void aSubscriberThatComesWithItsOwnIsServedInIt(String store) {
        LaterService service = service(store, () -> CompletableFuture.completedFuture("done"));
        Mono<String> assembledOutside = service.mono(id);
        assertThat(BOB.call(
                                true,
                                () -> assembledOutside
                                        .map(value -> Surroundings.here())
                                        .toFuture())
                        .join())
                .isEqualTo(BOB);
        assertThat(inBody).hasValue(BOB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "blocking", "other"})
    void whoSubscribesOnAThreadThatKnowsNothingIsServedAsWhereTheMethodWasCalled(String store) {
        LaterService service = service(store, () -> CompletableFuture.completedFuture("done"));
        Mono<Surroundings> mono = ALICE.call(false, () -> service.mono(id).map(value -> Surroundings.here()))
                .subscribeOn(Schedulers.parallel());
        assertThat(mono.block()).isEqualTo(ALICE);
        assertThat(inBody).hasValue(ALICE);
        assertThat(mono.block()).isEqualTo(ALICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "blocking", "other"})
    void reactorsContextReachesTheBody(String store) {
        LaterService service = service(store, () -> CompletableFuture.completedFuture("done"));
        service.many = () -> Mono.deferContextual(reactor -> Mono.just(reactor.get("user")));
        assertThat(Mono.from(service.many(id))
                        .contextWrite(reactor -> reactor.put("user", "carol"))
                        .block())
                .isEqualTo("carol");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "blocking", "other"})
    void itIsThereInAReconcilerTooAndAReactiveOneIsSubscribedTo(String store) {
        LaterService service = service(store, () -> CompletableFuture.completedFuture("found"));
        ALICE.call(false, () -> service.reconciled(id).onErrorComplete().block());
        assertThat(ALICE.call(false, () -> service.reconciled(id).toFuture()).join())
                .isEqualTo("found");
        assertThat(inBody).hasValue(ALICE);
    }

    @Test
    void nothingOfOneCallIsLeftForTheNextOnTheSameThread() {
        LaterService service = service("blocking", () -> CompletableFuture.completedFuture("done"));
        after(ALICE, Kind.STAGE, service).join();
        assertThat(Kind.STAGE.call(service, id + "2").join()).isEqualTo("done");
        assertThat(inBody).hasValue(Surroundings.named(null));
    }
}
