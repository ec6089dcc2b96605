package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.idempotency.Refusal;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes of one store that write fingerprints in different versions or under different secrets, while they are replaced. */
@Tag("thorough")
class FingerprintRotationTest {

    private static final String SECRET = "idempotency.fingerprint.secret";
    private static final String OTHERS = "idempotency.fingerprint.other-secrets";
    private static final String FIRST = "the first secret of all";
    private static final String SECOND = "the second secret of all";

    private static final Map<String, Object> PLAIN = Map.of();
    private static final Map<String, Object> FIRST_TO_COME = Map.of(OTHERS, List.of(FIRST));
    private static final Map<String, Object> FIRST_ONLY = Map.of(SECRET, FIRST);
    private static final Map<String, Object> SECOND_TO_COME = Map.of(SECRET, FIRST, OTHERS, List.of(SECOND));
    private static final Map<String, Object> SECOND_IN_USE = Map.of(SECRET, SECOND, OTHERS, List.of(FIRST));
    private static final Map<String, Object> SECOND_ONLY = Map.of(SECRET, SECOND);
    private static final Map<String, Object> NEWER = Map.of("test.second-version", "true");
    private static final Map<String, Object> NEWER_WRITES_OLD =
            Map.of("test.second-version", "true", "idempotency.fingerprint.version", 1);

    private final NodesOfOneStore nodes = new NodesOfOneStore();

    @AfterEach
    void stop() {
        nodes.close();
    }

    /** Nodes that serve at the same time, in every step of the procedures of docs/security.md. */
    static Stream<Arguments> sideBySide() {
        return Stream.of(
                Arguments.of(PLAIN, FIRST_TO_COME),
                Arguments.of(FIRST_TO_COME, FIRST_ONLY),
                Arguments.of(FIRST_ONLY, SECOND_TO_COME),
                Arguments.of(SECOND_TO_COME, SECOND_IN_USE),
                Arguments.of(SECOND_IN_USE, SECOND_ONLY),
                Arguments.of(PLAIN, NEWER_WRITES_OLD),
                Arguments.of(NEWER_WRITES_OLD, NEWER),
                Arguments.of(with(SECOND_TO_COME, NEWER_WRITES_OLD), with(SECOND_IN_USE, NEWER)));
    }

    /** Nodes of which one does not know what the other writes: a step was left out. */
    static Stream<Arguments> strangers() {
        return Stream.of(
                Arguments.of(FIRST_ONLY, PLAIN), Arguments.of(SECOND_ONLY, FIRST_ONLY), Arguments.of(NEWER, PLAIN));
    }

    private static Map<String, Object> with(Map<String, Object> one, Map<String, Object> other) {
        Map<String, Object> both = new HashMap<>(one);
        both.putAll(other);
        return both;
    }

    private OrderService service(Map<String, Object> settings) {
        return nodes.start(settings).getBean(OrderService.class);
    }

    @ParameterizedTest
    @MethodSource("sideBySide")
    void duplicatesThatCrossAreAnsweredInEitherDirection(Map<String, Object> one, Map<String, Object> other) {
        OrderService ones = service(one);
        OrderService others = service(other);
        ones.bodies.set(10);
        assertThat(ones.overloaded("k1", 1)).isEqualTo(11);
        assertThat(others.overloaded("k1", 1)).isEqualTo(11);
        assertThat(others.overloaded("k2", 1)).isEqualTo(1);
        assertThat(ones.overloaded("k2", 1)).isEqualTo(1);
        assertThatThrownBy(() -> others.overloaded("k1", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThatThrownBy(() -> ones.overloaded("k2", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @ParameterizedTest
    @MethodSource({"sideBySide", "strangers"})
    void argumentsThatAreTheKeyRunOnce(Map<String, Object> one, Map<String, Object> other) {
        ApplicationContext ones = nodes.start(one);
        ApplicationContext others = nodes.start(other);
        ones.getBean(OrderService.class).byArguments("a", "b");
        refusedOr(() -> others.getBean(OrderService.class).byArguments("a", "b"));
        assertThat(others.getBean(OrderService.class).bodies).hasValue(0);
        byHand(ones, 1);
        refusedOr(() -> byHand(others, 2));
        assertThat(nodes.records(RecordState.COMPLETED)).hasSize(2);
    }

    private static int byHand(ApplicationContext node, int result) {
        return node.getBean(IdempotencyExecutor.class)
                .executeByArguments("import-file", Map.of("file", "f"), Argument.of(Integer.class), () -> result);
    }

    /** Whoever cannot compare says so. */
    private static void refusedOr(Runnable call) {
        try {
            call.run();
        } catch (IdempotencyStoreUnavailableException e) {
            assertThat(e).hasMessageContaining("the body did not run");
        }
    }

    @ParameterizedTest
    @MethodSource({"sideBySide", "strangers"})
    void aDownstreamKeyStaysTheSame(Map<String, Object> one, Map<String, Object> other) {
        assertThat(nodes.start(one).getBean(OrderService.class).derives("k")).isEqualTo(derivedAnew(other, "k"));
    }

    /** By a body that runs: of another store. */
    private static String derivedAnew(Map<String, Object> settings, String key) {
        try (NodesOfOneStore another = new NodesOfOneStore()) {
            return another.start(settings).getBean(OrderService.class).derives(key);
        }
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void whatANodeCannotCompareItRefusesAndAnotherNodeAnswers(Map<String, Object> one, Map<String, Object> other) {
        OrderService ones = service(one);
        OrderService others = service(other);
        ones.overloaded("k", 1);
        assertThatThrownBy(() -> others.overloaded("k", 1))
                .isInstanceOf(IdempotencyStoreUnavailableException.class)
                .hasMessageContaining("which this node does not know")
                .hasMessageContaining("the body did not run")
                .hasMessageContaining("idempotency.fingerprint.version")
                .hasMessageContaining("idempotency.fingerprint.other-secrets");
        assertThat(others.bodies).hasValue(0);
        assertThat(ones.overloaded("k", 1)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("sideBySide")
    void aRunInFlightIsNeitherRunAgainNorRefusedAsAnother(Map<String, Object> one, Map<String, Object> other)
            throws Exception {
        OrderService ones = service(one);
        OrderService others = service(other);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ones.behaviour = () -> waited(begun, end, "the first owner's");
        others.behaviour = () -> "the next owner's";
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> ones.takesOver("k"), threads);
            begun.await();
            StoredRecord record = nodes.records(RecordState.IN_PROGRESS).get(0);
            nodes.store.doubt(
                    new Ownership(record.id(), record.owner(), record.fence()), "it vanished", Duration.ofHours(1));
            assertThat(others.takesOver("k")).isEqualTo("the next owner's");
            assertThat(nodes.records(RecordState.COMPLETED))
                    .singleElement()
                    .satisfies(taken -> assertThat(taken.attempt()).isEqualTo(2));
            end.countDown();
            assertThat(first.join()).isEqualTo("the next owner's");
        } finally {
            end.countDown();
            threads.shutdownNow();
        }
    }

    private static String waited(CountDownLatch begun, CountDownLatch end, String result) {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return result;
    }

    @Test
    void aDuplicateDuringARunOfTheOtherFormIsInProgress() {
        OrderService ones = service(SECOND_TO_COME);
        ApplicationContext other = nodes.start(SECOND_IN_USE);
        IdempotencyExecutor executor = other.getBean(IdempotencyExecutor.class);
        nodes.start(SECOND_TO_COME)
                .getBean(IdempotencyExecutor.class)
                .execute("import-file", "k", "payload", Integer.class, () -> {
                    assertThatThrownBy(() -> executor.execute("import-file", "k", "payload", Integer.class, () -> 2))
                            .isInstanceOf(OperationInProgressException.class);
                    return 1;
                });
        assertThat(ones.bodies).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("sideBySide")
    void aKeyStaysItsCallers(Map<String, Object> one, Map<String, Object> other) {
        Map<String, Object> forbids = Map.of("test.callers", "true", "idempotency.other-callers", "forbid");
        ApplicationContext ones = nodes.start(with(one, forbids));
        ApplicationContext others = nodes.start(with(other, forbids));
        ones.getBean(CallersTest.Who.class).caller.set("alice");
        ones.getBean(OrderService.class).overloaded("k");
        CallersTest.Who who = others.getBean(CallersTest.Who.class);
        OrderService service = others.getBean(OrderService.class);
        who.caller.set("alice");
        assertThat(service.overloaded("k")).isEqualTo(1);
        who.caller.set("bob");
        assertThatThrownBy(() -> service.overloaded("k")).hasFieldOrPropertyWithValue("refusal", Refusal.KEY_FOREIGN);
        assertThat(service.bodies).hasValue(0);
        assertThat(nodes.records(RecordState.COMPLETED))
                .allSatisfy(record -> assertThat(record.fingerprint()).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void whoDoesNotKnowTheSecretCannotSearchTheStoreForArguments() {
        service(PLAIN).overloaded("plain", 1);
        service(FIRST_ONLY).overloaded("keyed", 1);
        List<String> fingerprints = nodes.records(RecordState.COMPLETED).stream()
                .map(StoredRecord::fingerprint)
                .toList();
        assertThat(fingerprints).anyMatch(text -> text.matches("1:[0-9a-f]{64}"));
        assertThat(fingerprints).anyMatch(text -> text.matches("1\\.[0-9a-f]{8}:[0-9a-f]{64}"));
    }

    @Test
    void aVersionThatNobodyWritesStopsTheStart() {
        assertThatThrownBy(() -> service(Map.of("idempotency.fingerprint.version", 3)))
                .hasStackTraceContaining("idempotency.fingerprint.version: 3 is not known here")
                .hasStackTraceContaining("[1]");
    }
}
