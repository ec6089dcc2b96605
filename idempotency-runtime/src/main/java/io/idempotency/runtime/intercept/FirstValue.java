package io.idempotency.runtime.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** The one value of a publisher as a stage; completing without a value is null. */
final class FirstValue implements Subscriber<Object> {

    private final CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
    private @Nullable Object value;

    private FirstValue() {}

    static CompletionStage<@Nullable Object> of(Publisher<?> publisher) {
        FirstValue first = new FirstValue();
        publisher.subscribe(first);
        return first.future;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object next) {
        if (value == null) {
            value = next;
        }
    }

    @Override
    public void onError(Throwable failure) {
        future.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        future.complete(value);
    }
}
