package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.reactivex.rxjava3.disposables.Disposable;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** A caller that goes away does not touch the body; a body that is cut off leaves its outcome unknown. */
@MicronautTest
@Property(name = "idempotency.operations.later-by-hand.programmatic", value = "true")
@Property(
        name = "idempotency.operations.later-by-hand.no-effect-for",
        value = "io.idempotency.runtime.intercept.LaterService$NothingDone")
class CancellationTest {

    @Inject
    LaterService service;

    private final String id = UUID.randomUUID().toString();
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    @BeforeEach
    void aBodyThatTakesItsTime() {
        service.bodies.set(0);
        service.body = () -> answer;
    }

    /** While the body runs a duplicate is told so, and afterwards it gets the result. */
    private void bodyGoesOn(Kind kind) {
        await().until(() -> service.bodies.get() == 1); // the claim is made on another thread
        assertThatThrownBy(() -> kind.call(service, id).join()).hasCauseInstanceOf(OperationInProgressException.class);
        assertThat(answer).isNotDone();

        answer.complete("charged");
        await().untilAsserted(() -> assertThat(kind.call(service, id).join()).isEqualTo("charged"));
        assertThat(service.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STAGE")
    void aCallerThatCancelsLeavesTheBodyAlone(Kind kind) {
        cancel(kind);
        bodyGoesOn(kind);
    }

    private void cancel(Kind kind) {
        switch (kind) {
            case STAGE, FUTURE -> service.future(id).cancel(true);
            case BY_HAND -> service.byHand(id).toCompletableFuture().cancel(true);
            case MONO -> service.mono(id).subscribe().dispose();
            case PUBLISHER -> Mono.from(service.publisher(id)).subscribe().dispose();
            case SINGLE -> ((Disposable) service.single(id).subscribe()).dispose();
            case MAYBE -> ((Disposable) service.maybe(id).subscribe()).dispose();
        }
    }

    /** The body has no effect, so the next one of those who wait would run it. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"MONO", "PUBLISHER", "SINGLE", "MAYBE"})
    void aCallerThatCancelsWhileItWaitsForADuplicateClaimsNothingLater(Kind kind) {
        try (ApplicationContext waiting = ApplicationContext.run(Map.of("idempotency.when-in-progress", "wait"))) {
            LaterService there = waiting.getBean(LaterService.class);
            there.body = () -> answer;
            CompletableFuture<String> first = kind.call(there, id);
            await().until(() -> there.bodies.get() == 1);
            there.body = () -> Kind.failed(new LaterService.NothingDone());
            switch (kind) {
                case PUBLISHER -> Mono.from(there.publisher(id)).subscribe().dispose();
                case SINGLE -> ((Disposable) there.single(id).subscribe()).dispose();
                case MAYBE -> ((Disposable) there.maybe(id).subscribe()).dispose();
                default -> there.mono(id).subscribe().dispose();
            }
            answer.completeExceptionally(new LaterService.NothingDone());
            assertThatThrownBy(first::join).hasRootCauseInstanceOf(LaterService.NothingDone.class);
            assertThatThrownBy(kind.call(there, id)::join).hasRootCauseInstanceOf(LaterService.NothingDone.class);
            assertThat(there.bodies)
                    .as("of the first and the last, which comes after all who wait")
                    .hasValue(2);
        }
    }

    @Test
    void aMonosTimeOutLeavesTheBodyAlone() {
        assertThatThrownBy(() -> service.mono(id).timeout(Duration.ofMillis(20)).block())
                .hasCauseInstanceOf(TimeoutException.class);
        bodyGoesOn(Kind.MONO);
    }

    @Test
    void aFuturesTimeOutLeavesTheBodyAlone() {
        CompletableFuture<String> future = service.future(id);
        assertThatThrownBy(() -> future.orTimeout(20, TimeUnit.MILLISECONDS).join())
                .hasCauseInstanceOf(TimeoutException.class);
        bodyGoesOn(Kind.FUTURE);
    }

    @Test
    void aSinglesTimeOutLeavesTheBodyAlone() {
        assertThatThrownBy(() ->
                        service.single(id).timeout(20, TimeUnit.MILLISECONDS).blockingGet())
                .hasCauseInstanceOf(TimeoutException.class);
        bodyGoesOn(Kind.SINGLE);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatEndsByItsOwnTimeOutLeavesTheOutcomeUnknown(Kind kind) {
        service.body = () -> new CompletableFuture<String>().orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> kind.call(service, id).join()).hasRootCauseInstanceOf(TimeoutException.class);
        outcomeIsUnknown(kind);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatIsCancelledFromWithinLeavesTheOutcomeUnknown(Kind kind) {
        service.body = () -> {
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            cancelled.cancel(true);
            return cancelled;
        };
        assertThatThrownBy(() -> kind.call(service, id).join())
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(CancellationException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(CancellationException.class));
        outcomeIsUnknown(kind);
    }

    private void outcomeIsUnknown(Kind kind) {
        assertThatThrownBy(() -> kind.call(service, id).join()).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(service.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aTimeOutThatIsDeclaredToHaveNoEffectFreesTheKey(Kind kind) {
        service.body = () -> Kind.failed(new LaterService.NothingDone());
        assertThatThrownBy(() -> kind.call(service, id).join()).hasRootCauseInstanceOf(LaterService.NothingDone.class);

        service.body = () -> CompletableFuture.completedFuture("second");
        assertThat(kind.call(service, id).join()).isEqualTo("second");
        assertThat(service.bodies).hasValue(2);
    }
}
