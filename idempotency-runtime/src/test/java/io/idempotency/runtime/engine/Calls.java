package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.Invocation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Many calls of one key that wait, each without a thread. */
record Calls(List<CompletableFuture<Outcome>> all) {

    static Calls of(Engine engine, int count, Invocation.Body body) {
        return new Calls(IntStream.range(0, count)
                .mapToObj(i -> engine.callAsync("k", body).toCompletableFuture())
                .toList());
    }

    static Calls of(Engine engine, int count) {
        return of(engine, count, context -> CompletableFuture.completedFuture("second"));
    }

    /** Those that know how they ended. */
    List<Outcome> ended() {
        return all.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .toList();
    }
}
