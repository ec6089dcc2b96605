package io.idempotency.http.server;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.Refusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Routes whose body calls an operation that is refused, until it is not. */
@Controller("/chain")
@Requires(property = "test.nested-refusals")
class NestedRefusalsController {

    final AtomicReference<Refusal> inner = new AtomicReference<>();
    final Map<String, Integer> bodies = new ConcurrentHashMap<>();

    private int body(String test) {
        int runs = bodies.merge(test, 1, Integer::sum);
        Refusal refusal = inner.get();
        if (refusal != null) {
            throw refusal.exception("inner", "ab".repeat(32), "refused", null);
        }
        return runs;
    }

    @Post("/remember")
    @IdempotentOperation("chain-remember")
    int remember(@QueryValue String test) {
        return body(test);
    }

    @Post("/release")
    @IdempotentOperation(value = "chain-release", onFailure = OnFailure.RELEASE)
    int release(@QueryValue String test) {
        return body(test);
    }

    @Post("/no-effect")
    @IdempotentOperation(value = "chain-no-effect", noEffectFor = IdempotencyException.class)
    int noEffect(@QueryValue String test) {
        return body(test);
    }

    @Post("/final")
    @IdempotentOperation(value = "chain-final", finalFor = IdempotencyException.class)
    int finalFor(@QueryValue String test) {
        return body(test);
    }

    @Post("/take-over")
    @IdempotentOperation(value = "chain-take-over", onAbandoned = OnAbandoned.TAKE_OVER)
    int takeOver(@QueryValue String test) {
        return body(test);
    }

    @Post("/configured")
    int configured(@QueryValue String test) {
        return body(test);
    }

    @Post("/configured-release")
    int configuredRelease(@QueryValue String test) {
        return body(test);
    }
}
