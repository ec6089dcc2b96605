package io.idempotency.http.server;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Routes above idempotent methods. */
@Controller("/several")
@Requires(property = "test.several")
class SeveralCallsController {

    private final Below below;
    private final Provider<SeveralCallsController> self;

    SeveralCallsController(Below below, Provider<SeveralCallsController> self) {
        this.below = below;
        this.self = self;
    }

    @Post("/each")
    @ExecuteOn(TaskExecutors.BLOCKING)
    List<Integer> each(@QueryValue List<String> keys) {
        return keys.stream().map(below::one).toList();
    }

    @Post("/two")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int two(@QueryValue String key) {
        return below.one(key) + below.other(key);
    }

    @Post("/caught")
    @ExecuteOn(TaskExecutors.BLOCKING)
    String caught(@QueryValue String key) {
        try {
            below.cutOff(key);
        } catch (IdempotencyException | TimeoutException e) {
            return "caught, " + below.one(key);
        }
        return "";
    }

    @Post("/caught-alone")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<String> caughtAlone(@QueryValue String key, @QueryValue int status) throws TimeoutException {
        try {
            return HttpResponse.ok("" + below.cutOff(key));
        } catch (IdempotencyException e) {
            return HttpResponse.status(HttpStatus.valueOf(status)).body("caught");
        }
    }

    @Post("/alone")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int alone(@QueryValue String key) throws TimeoutException {
        return below.cutOff(key);
    }

    @Post("/refused")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int refused(@QueryValue String key) throws TimeoutException {
        return below.one(key) + below.cutOff(key);
    }

    @Post("/half")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int half(@QueryValue String key) {
        return below.one(key) + below.other("");
    }

    @Post("/caught-half")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int caughtHalf(@QueryValue String key) {
        try {
            return below.cutOff(key);
        } catch (IdempotencyException | TimeoutException e) {
            return below.other("");
        }
    }

    @Post("/none")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int none() {
        return below.other("");
    }

    @Post("/thrown")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int thrown(@QueryValue String key) {
        below.one(key);
        throw new HttpStatusException(HttpStatus.BAD_GATEWAY, "after all");
    }

    @Post("/local")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int local(@QueryValue String key) {
        below.one(key);
        throw new IllegalStateException("answered by the controller");
    }

    @Error(exception = IllegalStateException.class)
    String answered() {
        return "answered";
    }

    @Post("/at-once")
    Mono<List<Integer>> atOnce(@QueryValue String key) {
        return Flux.range(0, 8)
                .flatMap(i -> below.reactive(key + "-" + i % 4 + (i < 4 ? "" : "-b")))
                .collectList();
    }

    @Post("/reactive")
    Mono<Integer> reactive(@QueryValue String key) {
        return below.reactive(key);
    }

    @Get("/safe")
    @IdempotentOperation("several-safe")
    int safe(@QueryValue(defaultValue = "1") int number) {
        return below.bodies.incrementAndGet();
    }

    @Post("/placed")
    @IdempotentOperation("several-placed")
    int placed() {
        return below.bodies.incrementAndGet();
    }

    /** A link in a mail, say. */
    @Get("/confirm")
    int confirm() {
        return self.get().placed();
    }

    /** What the routes call. */
    @Singleton
    @Requires(property = "test.several")
    static class Below {
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation(value = "several-one", key = "key")
        public int one(String key) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "several-other", key = "key")
        public int other(String key) {
            return bodies.incrementAndGet();
        }

        @IdempotentOperation(value = "several-cut-off", key = "key")
        public int cutOff(String key) throws TimeoutException {
            throw new TimeoutException();
        }

        @IdempotentOperation(value = "several-reactive", key = "key")
        public Mono<Integer> reactive(String key) {
            return Mono.fromSupplier(bodies::incrementAndGet);
        }
    }
}
