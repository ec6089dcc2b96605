package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.Reloads;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Does what a test says, by both kinds of route. */
@Controller("/causes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.causes")
class CausesController {

    final AtomicInteger bodies = new AtomicInteger();
    volatile Callable<String> body = () -> "done";
    volatile Callable<String> reload = () -> null;
    volatile Callable<Reconciliation<String>> reconciliation = () -> Reconciliation.unknown("nobody looked");
    volatile RecordId last = new RecordId("0".repeat(64));

    @Post("/annotated")
    @IdempotentOperation("causes-annotated")
    String annotated(@Body String ask) throws Exception {
        return run();
    }

    @Post("/annotated-patient")
    @IdempotentOperation(value = "causes-annotated-patient", whenInProgress = WhenInProgress.WAIT, waitTimeout = "25s")
    String patient(@Body String ask) throws Exception {
        return run();
    }

    @Post("/annotated-hasty")
    @IdempotentOperation(value = "causes-annotated-hasty", whenInProgress = WhenInProgress.WAIT, waitTimeout = "50ms")
    String hasty(@Body String ask) throws Exception {
        return run();
    }

    @Post("/annotated-later")
    @IdempotentOperation("causes-annotated-later")
    CompletionStage<String> later(@Body String ask) throws Exception {
        return CompletableFuture.completedFuture(run());
    }

    @Post("/annotated-reloaded")
    @IdempotentOperation("causes-annotated-reloaded")
    String reloaded(@Body String ask) throws Exception {
        return run();
    }

    @Reloads("causes-annotated-reloaded")
    String reload(String ask) throws Exception {
        return reload.call();
    }

    @Post("/annotated-reconciled")
    @IdempotentOperation(value = "causes-annotated-reconciled", onAbandoned = OnAbandoned.RECONCILE)
    String reconciled(@Body String ask) throws Exception {
        return run();
    }

    @Reconciles("causes-annotated-reconciled")
    Reconciliation<String> reconcile(String ask) throws Exception {
        return reconciliation.call();
    }

    @Post("/configured{kind:.*}")
    String configured(@Body String ask) throws Exception {
        return run();
    }

    private String run() throws Exception {
        bodies.incrementAndGet();
        last = new RecordId(IdempotencyContext.current().keyHash());
        return body.call();
    }
}
