package io.idempotency.http.client;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Operations that call the other system. */
@Singleton
@Requires(property = "test.psp")
class Shop {

    private final PspClient psp;

    Shop(PspClient psp) {
        this.psp = psp;
    }

    @IdempotentOperation(value = "buy", key = "id", noEffectFor = HttpClientResponseException.class)
    String buy(String id, @NotFingerprinted List<Consumer<PspClient>> calls) {
        calls.forEach(call -> call.accept(psp));
        return derived("io.idempotency.http.client.PspClient#once");
    }

    @IdempotentOperation(value = "buy-mono", key = "id")
    Mono<String> buyMono(String id) {
        return psp.chargeMono(PspApplication.ORDER)
                .map(charge -> derived("io.idempotency.http.client.PspClient#chargeMono"));
    }

    /** Calls on a thread without Micronaut's context, as where a driver answers on its own. */
    @IdempotentOperation(value = "buy-elsewhere", key = "id")
    Mono<String> buyElsewhere(String id, @NotFingerprinted Function<PspClient, Mono<?>> call) {
        String derived = derived("io.idempotency.http.client.PspClient#chargeMono");
        return Mono.<String>create(answer -> new Thread(() -> answer.success(derived)).start())
                .flatMap(key -> call.apply(psp).thenReturn(key));
    }

    @IdempotentOperation(value = "buy-stage", key = "id")
    CompletionStage<String> buyStage(String id) {
        String derived = derived("io.idempotency.http.client.PspClient#chargeStage");
        return psp.chargeStage(PspApplication.ORDER).thenApply(charge -> derived);
    }

    private static String derived(String name) {
        return IdempotencyContext.current().deriveKey(name);
    }
}
