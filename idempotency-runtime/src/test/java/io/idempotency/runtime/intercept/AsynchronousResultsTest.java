package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.reactivex.rxjava3.core.Completable;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What callers of asynchronous methods get. */
@MicronautTest
class AsynchronousResultsTest {

    @Inject
    LaterService service;

    private final String id = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        service.bodies.set(0);
        service.body = () -> CompletableFuture.supplyAsync(() -> "run " + service.bodies.get());
    }

    @ParameterizedTest
    @EnumSource
    void aSecondCallIsAReplay(Kind kind) {
        assertThat(kind.call(service, id).join()).isEqualTo("run 1");
        assertThat(kind.call(service, id).join()).isEqualTo("run 1");
        assertThat(service.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"STAGE", "FUTURE", "BY_HAND"})
    void whatIsSubscribedToIsClaimedThenAndOncePerSubscription(Kind kind) {
        Supplier<CompletableFuture<String>> subscription = kind.assemble(service, id);
        assertThat(service.bodies).hasValue(0);
        assertThat(subscription.get().join()).isEqualTo("run 1");
        assertThat(subscription.get().join()).isEqualTo("run 1");
        assertThat(service.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void theFirstCallerGetsTheBodysExceptionAndTheSecondWhatIsRemembered(Kind kind) {
        service.body = () -> Kind.failed(new IllegalStateException("sold out"));
        assertThatThrownBy(() -> kind.call(service, id).join())
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sold out");
        assertThatThrownBy(() -> kind.call(service, id).join())
                .cause()
                .isInstanceOf(PreviousAttemptFailedException.class)
                .hasMessageContaining("IllegalStateException");
        assertThat(service.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SINGLE")
    void aCallWithoutAValueIsReplayedWithoutOne(Kind kind) {
        service.body = () -> CompletableFuture.completedFuture(null);
        assertThat(kind.call(service, id).join()).isNull();
        assertThat(kind.call(service, id).join()).isNull();
        assertThat(service.bodies).hasValue(1);
    }

    /** A minimal stage is a future whose {@code isDone} throws. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aMinimalStageIsAnAnswerLikeAnyOther(Kind kind) {
        for (CompletionStage<String> minimal : List.of(
                CompletableFuture.completedStage("done"),
                CompletableFuture.supplyAsync(() -> "done").minimalCompletionStage())) {
            service.body = () -> minimal;
            String each = id + minimal;
            assertThat(kind.call(service, each).join()).isEqualTo("done");
            assertThat(kind.call(service, each).join()).isEqualTo("done");
        }
        assertThat(service.bodies).hasValue(2);
    }

    @Test
    void completionAloneIsReplayedToo() {
        Completable completable = service.completable(id);
        assertThat(service.bodies).hasValue(0);
        completable.blockingAwait();
        completable.blockingAwait();
        assertThat(service.bodies).hasValue(1);

        Mono<Void> mono = service.emptyMono(id);
        assertThat(service.bodies).hasValue(1);
        assertThat(mono.blockOptional()).isEmpty();
        assertThat(mono.blockOptional()).isEmpty();
        assertThat(service.bodies).hasValue(2);

        assertThat(service.emptyStage(id).toCompletableFuture().join()).isNull();
        assertThat(service.emptyStage(id).toCompletableFuture().join()).isNull();
        assertThat(service.bodies).hasValue(3);
    }

    @Test
    void noOptionalIsNotTheSameAsAnEmptyOne() {
        assertThat(service.optional(id, Mono.empty()).blockOptional()).isEmpty();
        assertThat(service.optional(id, Mono.empty()).blockOptional()).isEmpty();
        assertThat(service.optional(id + "'", Mono.just(Optional.empty())).block())
                .isEmpty();
        assertThat(service.optional(id + "'", Mono.just(Optional.empty())).block())
                .isEmpty();
        assertThat(service.bodies).hasValue(2);
    }

    @Test
    void aBodyIsNotCutOffWhenItHasGivenItsValue() {
        List<String> steps = new CopyOnWriteArrayList<>();
        service.many = () -> Flux.just("value").concatWith(Mono.fromRunnable(() -> steps.add("after")));
        assertThat(Mono.from(service.many(id)).block()).isEqualTo("value");
        assertThat(steps).containsExactly("after");
    }

    /** The operation declares that a CancellationException proves no effect; this one is not the body's. */
    @Test
    void aSecondValueIsRefusedAndLeavesTheOutcomeUnknown() {
        service.many = () -> Flux.interval(java.time.Duration.ofMillis(1)).map(String::valueOf);
        assertThatThrownBy(() -> Mono.from(service.many(id)).block())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("return Mono<List");
        assertThatThrownBy(() -> Mono.from(service.many(id)).block()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(service.bodies).hasValue(1);
    }
}
