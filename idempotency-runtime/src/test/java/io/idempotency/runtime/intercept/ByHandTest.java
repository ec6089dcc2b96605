package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Operations that are called by hand, on the calling thread. Asynchronous calls are one {@link Kind} of every other test. */
class ByHandTest {

    private static final String IMPORT = "import-invoice";
    private static final String DECLARED = "idempotency.operations." + IMPORT;

    private final String key = UUID.randomUUID().toString();
    private final AtomicInteger bodies = new AtomicInteger();

    private static void with(Map<String, Object> properties, Consumer<IdempotencyExecutor> test) {
        Map<String, Object> all = new HashMap<>(properties);
        if (properties.keySet().stream().anyMatch(name -> name.startsWith(DECLARED))) {
            all.put(DECLARED + ".programmatic", true);
        }
        try (ApplicationContext context = ApplicationContext.run(all)) {
            test.accept(context.getBean(IdempotencyExecutor.class));
        }
    }

    private Receipt receipt() {
        return new Receipt(key, bodies.incrementAndGet(), new BigDecimal("12.50"), Instant.EPOCH);
    }

    private Integer number(IdempotencyExecutor executor) {
        return executor.execute(IMPORT, key, null, Integer.class, bodies::incrementAndGet);
    }

    @Test
    void aRetryGetsTheFirstResult() {
        with(Map.of(), executor -> {
            Receipt first = executor.execute(IMPORT, key, Map.of("a", 1), Receipt.class, this::receipt);
            assertThat(executor.execute(IMPORT, key, Map.of("a", 1), Receipt.class, this::receipt))
                    .isEqualTo(first)
                    .isNotSameAs(first);
            assertThat(bodies).hasValue(1);
        });
    }

    @Test
    void genericResultsAreReplayedAsTheirType() {
        with(Map.of(), executor -> {
            Argument<List<Receipt>> type = Argument.listOf(Receipt.class);
            List<Receipt> first = executor.execute(IMPORT, key, null, type, () -> List.of(receipt()));
            assertThat(executor.execute(IMPORT, key, null, type, () -> List.of(receipt())))
                    .isEqualTo(first);
            assertThat(bodies).hasValue(1);
        });
    }

    @Test
    void aBodyWithoutAResultRunsOnceHoweverItSaysSo() {
        with(Map.of(), executor -> {
            for (Argument<Void> type :
                    List.of(Argument.of(Void.class), Argument.VOID_OBJECT, Argument.of(void.class))) {
                executor.execute(IMPORT, key, null, type, () -> {
                    bodies.incrementAndGet();
                    return null;
                });
            }
            assertThat(bodies).hasValue(1);
        });
    }

    @Test
    void otherArgumentsAreRefusedAndEqualOnesAreNot() {
        with(Map.of(), executor -> {
            executor.execute(IMPORT, key, Set.of("a", "b", "c"), Integer.class, bodies::incrementAndGet);
            executor.execute(IMPORT, key, Set.of("c", "b", "a"), Integer.class, bodies::incrementAndGet);
            assertThatThrownBy(() -> executor.execute(IMPORT, key, Set.of("a"), Integer.class, bodies::incrementAndGet))
                    .isInstanceOf(IdempotencyKeyReusedException.class)
                    .hasMessageContaining("'import-invoice'");
            assertThat(bodies).hasValue(1);
        });
    }

    @Test
    void operationsDoNotShareTheirKeys() {
        with(Map.of(), executor -> {
            assertThat(number(executor)).isEqualTo(1);
            assertThat(executor.execute("export-invoice", key, null, Integer.class, bodies::incrementAndGet))
                    .isEqualTo(2);
        });
    }

    @Test
    void theFirstCallerGetsTheBodysCheckedExceptionAndTheSecondWhatIsRemembered() {
        with(Map.of(), executor -> {
            IdempotencyExecutor.Body<Receipt, DataFormatException> body = () -> {
                bodies.incrementAndGet();
                throw new DataFormatException("invoice.pdf");
            };
            assertThatThrownBy(() -> executor.execute(IMPORT, key, null, Receipt.class, body))
                    .isExactlyInstanceOf(DataFormatException.class);
            assertThatThrownBy(() -> executor.execute(IMPORT, key, null, Receipt.class, body))
                    .isInstanceOf(PreviousAttemptFailedException.class)
                    .hasMessageContaining("DataFormatException");
            assertThat(bodies).hasValue(1);
        });
    }

    @Test
    void aBodyThatIsCutOffLeavesItsOutcomeUnknown() {
        with(Map.of(), executor -> {
            assertThatThrownBy(() -> executor.execute(IMPORT, key, null, Integer.class, () -> {
                        throw new StackOverflowError();
                    }))
                    .isInstanceOf(StackOverflowError.class);
            assertThatThrownBy(() -> number(executor)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(bodies).hasValue(0);
        });
    }

    @Test
    void theBodyKnowsItsClaimAndMaySayThatItDidNothing() {
        with(Map.of(), executor -> {
            assertThatThrownBy(() -> executor.execute(IMPORT, key, null, Integer.class, () -> {
                        IdempotencyContext claim = IdempotencyContext.current();
                        assertThat(claim.operation()).isEqualTo(IMPORT);
                        assertThat(claim.deriveKey("psp")).hasSize(64);
                        claim.noEffect();
                        throw new TimeoutException("nothing was sent");
                    }))
                    .isInstanceOf(TimeoutException.class);
            assertThat(number(executor)).isEqualTo(1);
        });
    }

    @Test
    void aDuplicateIsRefusedWhileTheBodyRunsAndWaitsWhereThatIsConfigured() {
        with(
                Map.of(),
                executor -> executor.execute(IMPORT, key, null, Integer.class, () -> {
                    assertThatThrownBy(() -> number(executor)).isInstanceOf(OperationInProgressException.class);
                    return 7;
                }));
        with(Map.of(DECLARED + ".when-in-progress", "WAIT"), executor -> {
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                Callable<Integer> first = () -> executor.execute(IMPORT, key, null, Integer.class, () -> {
                    running.countDown();
                    end.await();
                    return 7;
                });
                Future<Integer> owner = threads.submit(first);
                running.await();
                Future<Integer> waiter = threads.submit(() -> number(executor));
                end.countDown();
                assertThat(owner.get()).isEqualTo(7);
                assertThat(waiter.get()).isEqualTo(7);
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                threads.shutdownNow();
            }
            assertThat(bodies).hasValue(0);
        });
    }

    @Test
    void ofManyAtOnceOneRunsTheBody() {
        with(Map.of("idempotency.when-in-progress", "WAIT"), executor -> {
            List<CompletableFuture<Integer>> calls = Stream.generate(() -> executor.executeAsync(
                            IMPORT,
                            key,
                            null,
                            Integer.class,
                            () -> CompletableFuture.supplyAsync(bodies::incrementAndGet)))
                    .limit(200)
                    .map(CompletionStage::toCompletableFuture)
                    .toList();
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(1));
        });
    }

    @Test
    void theArgumentsCanBeTheKey() {
        with(Map.of(), executor -> {
            Argument<Integer> type = Argument.INT;
            Map<String, Object> line = Map.of("id", key, "amount", 1);
            assertThat(executor.executeByArguments(IMPORT, line, type, bodies::incrementAndGet))
                    .isEqualTo(1);
            assertThat(executor.executeByArguments(IMPORT, new TreeMap<>(line), type, bodies::incrementAndGet))
                    .isEqualTo(1);
            assertThat(executor.executeAsyncByArguments(
                                    IMPORT,
                                    line,
                                    type,
                                    () -> CompletableFuture.completedFuture(bodies.incrementAndGet()))
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(1);
            assertThat(executor.executeByArguments(IMPORT, Map.of("id", key), type, bodies::incrementAndGet))
                    .isEqualTo(2);
            assertThatThrownBy(() -> executor.executeByArguments(IMPORT, null, type, bodies::incrementAndGet))
                    .isInstanceOf(MissingIdempotencyKeyException.class);
            assertThat(bodies).hasValue(2);
        });
    }

    @Test
    void withoutAKeyACallIsRefusedOrRunsUnprotectedWhereThatIsConfigured() {
        with(Map.of(), executor -> {
            for (String none : new String[] {null, "", "  "}) {
                assertThatThrownBy(() -> executor.execute(IMPORT, none, null, Integer.class, bodies::incrementAndGet))
                        .isInstanceOf(MissingIdempotencyKeyException.class)
                        .hasMessageContaining(DECLARED + ".key-required");
            }
            assertThat(bodies).hasValue(0);
        });
        with(Map.of(DECLARED + ".key-required", false), executor -> {
            executor.execute(IMPORT, null, null, Integer.class, bodies::incrementAndGet);
            executor.execute(IMPORT, null, null, Integer.class, bodies::incrementAndGet);
            assertThat(bodies).hasValue(2);
        });
    }

    @Test
    void aStoreThatIsDownKeepsTheBodyFromRunning() {
        with(
                Map.of(
                        "test.down",
                        true,
                        "idempotency.store",
                        "memory",
                        DECLARED + ".store",
                        "down",
                        "idempotency.shutdown-timeout",
                        "0s"),
                executor -> {
                    assertThatThrownBy(() -> number(executor)).isInstanceOf(IdempotencyStoreUnavailableException.class);
                    assertThatThrownBy(() -> executor.executeAsync(
                                            IMPORT,
                                            key,
                                            null,
                                            Integer.class,
                                            () -> CompletableFuture.completedFuture(bodies.incrementAndGet()))
                                    .toCompletableFuture()
                                    .join())
                            .hasCauseInstanceOf(IdempotencyStoreUnavailableException.class);
                    assertThat(bodies).hasValue(0);
                });
    }

    @Test
    void switchedOffEveryCallRunsItsBody() {
        with(Map.of("idempotency.enabled", false), executor -> {
            number(executor);
            assertThat(number(executor)).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Import", "import invoice", "import-42-", "charge", "later-mono"})
    void aNameThatIsNotKebabCaseOrBelongsToAnAnnotatedMethodIsRefused(String name) {
        with(Map.of(), executor -> {
            assertThatThrownBy(() -> executor.execute(name, key, null, Integer.class, bodies::incrementAndGet))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'")
                    .hasMessageContaining("did not run");
            assertThat(bodies).hasValue(0);
        });
    }

    @Test
    void whatCannotBeReplayedOrFingerprintedIsRefusedBeforeTheBody() {
        with(Map.of(), executor -> {
            for (Class<?> type : List.of(Object.class, InputStream.class, Mono.class, Stream.class, Future.class)) {
                assertThatThrownBy(() -> executor.execute(IMPORT, key, null, type, () -> {
                            bodies.incrementAndGet();
                            return null;
                        }))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("cannot be recorded and replayed");
            }
            assertThatThrownBy(() -> executor.execute(
                            IMPORT, key, List.of(1).iterator(), Integer.class, bodies::incrementAndGet))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(IMPORT);
            assertThatThrownBy(() -> executor.executeAsync(
                                    IMPORT,
                                    key,
                                    List.of(1).iterator(),
                                    Integer.class,
                                    () -> CompletableFuture.completedFuture(bodies.incrementAndGet()))
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(bodies).hasValue(0);
        });
    }

    @Test
    void aTypeThatTheJsonMapperDoesNotKnowIsRefusedBeforeTheBody() {
        with(Map.of(), executor -> {
            assertThatThrownBy(() -> executor.execute(IMPORT, key, null, Unknown.class, () -> {
                        bodies.incrementAndGet();
                        return new Unknown("x");
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("@Serdeable");
            assertThat(bodies).hasValue(0);
        });
    }

    record Unknown(String text) {}

    @Test
    void aTypeOfWhichAPartCannotBeReplayedIsRefusedBeforeTheBody() {
        List<Argument<?>> types = List.of(
                Argument.of(Optional.class),
                Argument.of(Optional.class, Object.class),
                Argument.of(Optional.class, Unknown.class),
                Argument.of(HttpResponse.class, Unknown.class),
                Argument.listOf(Object.class),
                Argument.of(Optional.class, Argument.listOf(Stream.class)));
        with(Map.of(), executor -> {
            for (Argument<?> type : types) {
                assertThatThrownBy(() -> executor.execute(IMPORT, key, null, type, () -> {
                            bodies.incrementAndGet();
                            return null;
                        }))
                        .as(type.getTypeString(false))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("cannot be recorded and replayed");
            }
            assertThat(bodies).hasValue(0);
        });
    }

    @Test
    void whoWantsNoResultIsNotRefusedBecauseThereIsOne() {
        with(Map.of(), executor -> {
            number(executor);
            assertThat(executor.execute(IMPORT, key, null, Argument.VOID_OBJECT, () -> null))
                    .isNull();
        });
    }

    @Test
    void anAsynchronousCallFailsItsStageAndNothingElseAlsoWhereItRunsUnprotected() {
        with(Map.of(DECLARED + ".key-required", false), executor -> {
            for (String each : new String[] {key, null}) {
                assertThatThrownBy(() -> executor.executeAsync(IMPORT, each, null, Integer.class, () -> {
                                    throw new StackOverflowError();
                                })
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(StackOverflowError.class);
            }
            assertThatThrownBy(() -> executor.executeAsync(IMPORT, null, null, Integer.class, () -> null)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasStackTraceContaining("null was returned, not a stage");
        });
    }

    @Test
    void anAnnotatedMethodsNameIsRefusedAlsoWhereTheCallCameBeforeTheStart() {
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(Map.of("idempotency.store", "memory"))
                .build()) {
            ApplicationEventListener<StartupEvent> early = new EarlyCall(context);
            context.registerSingleton(early);
            assertThatThrownBy(context::start)
                    .hasStackTraceContaining("'later-mono' was called by hand before the application had started");
        }
    }

    private record EarlyCall(ApplicationContext context) implements ApplicationEventListener<StartupEvent>, Ordered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void onApplicationEvent(StartupEvent event) {
            context.getBean(IdempotencyExecutor.class).execute("later-mono", "k", null, Integer.class, () -> 1);
        }
    }

    @Test
    void thereIsNoReconcilerForACallByHand() {
        with(
                Map.of("idempotency.operations.import-invoice.retention", "7d"),
                executor -> assertThat(number(executor)).isEqualTo(1));
        assertThatThrownBy(() -> with(Map.of(DECLARED + ".on-abandoned", "RECONCILE"), executor -> {}))
                .hasStackTraceContaining(ConfigurationException.class.getName())
                .hasStackTraceContaining(DECLARED + ".on-abandoned: REFUSE");
    }
}
