package io.idempotency.http.client;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service of ours, both sides of it. */
@Controller("/till")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.till")
class Till {

    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger lose = new AtomicInteger();
    volatile CountDownLatch begun = new CountDownLatch(1);
    volatile CountDownLatch mayEnd = new CountDownLatch(0);

    private final TillClient self;

    Till(TillClient self) {
        this.self = self;
    }

    void reset() {
        requests.set(0);
        bodies.set(0);
        lose.set(0);
        begun = new CountDownLatch(1);
        mayEnd = new CountDownLatch(0);
    }

    @Post("/sales")
    @IdempotentOperation("sell")
    @Consumes(MediaType.TEXT_PLAIN)
    @Produces(MediaType.TEXT_PLAIN)
    public String sell(@Body String item) throws InterruptedException {
        bodies.incrementAndGet();
        begun.countDown();
        mayEnd.await();
        return "sold " + item + " " + bodies.get();
    }

    /** What becomes of its sales is not known, and its ledger cannot be asked. */
    @Post("/sales-abroad")
    @IdempotentOperation(value = "sell-abroad", onAbandoned = OnAbandoned.RECONCILE)
    @Consumes(MediaType.TEXT_PLAIN)
    @Produces(MediaType.TEXT_PLAIN)
    public String sellAbroad(@Body String item) throws TimeoutException {
        throw new TimeoutException(item);
    }

    @Reconciles("sell-abroad")
    public Reconciliation<String> lookUp(@Body String item) {
        return Reconciliation.done(self.ledger());
    }

    @Get("/ledger")
    @Produces(MediaType.TEXT_PLAIN)
    public String ledger() {
        throw new HttpStatusException(HttpStatus.FORBIDDEN, "closed");
    }

    /** Asks itself for two things under one key, which it refuses. */
    @Post("/mistakes")
    @Consumes(MediaType.TEXT_PLAIN)
    @Produces(MediaType.TEXT_PLAIN)
    public String mistake(@Body String key) {
        self.sell("pen", key);
        return self.sell("ink", key);
    }

    /** The same under a key of its own. */
    @Post("/mistakes-keyed")
    @IdempotentOperation(value = "mistake-keyed", onFailure = OnFailure.RELEASE)
    @Consumes(MediaType.TEXT_PLAIN)
    @Produces(MediaType.TEXT_PLAIN)
    public String mistakeKeyed(@Body String key) {
        bodies.incrementAndGet();
        return mistake(key);
    }

    @Client("/till")
    @Requires(property = "test.till")
    @SendsIdempotencyKey(retries = 3, delay = "1ms")
    interface TillClient {

        @Post("/sales")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        String sell(@Body String item);

        @Post("/sales")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        String sell(@Body String item, @IdempotencyKey String key);

        @Post("/sales")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        CompletionStage<String> sellLater(@Body String item, @IdempotencyKey String key);

        @Post("/sales-abroad")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        String sellAbroad(@Body String item);

        @Get("/ledger")
        @Consumes(MediaType.TEXT_PLAIN)
        String ledger();

        @Post("/mistakes")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        String mistake(@Body String key);

        @Post("/mistakes-keyed")
        @Produces(MediaType.TEXT_PLAIN)
        @Consumes(MediaType.TEXT_PLAIN)
        String mistakeKeyed(@Body String inner, @IdempotencyKey String key);
    }

    /** Breaks connections when the work is done. */
    @ServerFilter("/till/sales")
    @Requires(property = "test.till")
    static class LosingFilter {

        private final Till till;

        LosingFilter(Till till) {
            this.till = till;
        }

        /** Waits until it is closed: on JDK 25 an answer was now and then written first. */
        @ResponseFilter
        @ExecuteOn(TaskExecutors.BLOCKING)
        void lose(HttpRequest<?> request) {
            till.requests.incrementAndGet();
            if (till.lose.getAndDecrement() > 0) {
                ((NettyHttpRequest<?>) request)
                        .getChannelHandlerContext()
                        .close()
                        .awaitUninterruptibly();
            }
        }
    }
}
