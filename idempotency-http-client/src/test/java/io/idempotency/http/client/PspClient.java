package io.idempotency.http.client;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.hateoas.JsonError;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.serde.annotation.Serdeable;
import io.reactivex.rxjava3.core.Single;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Somebody else's system, in every form a client method can have. */
@Client("psp")
@SendsIdempotencyKey
@Requires(property = "test.psp")
interface PspClient {

    @Serdeable
    record Order(String id, BigDecimal amount) {}

    @Serdeable
    record Charge(String id) {}

    /** An application's own annotation. */
    @SendsIdempotencyKey
    @Retention(RetentionPolicy.RUNTIME)
    @interface WithKey {}

    // tag::keys[]
    @Post("/once")
    Charge once(@Body Order order); // a new UUID (version 7) for each call

    @Post("/charges")
    Charge keyed(@Body Order order, @IdempotencyKey String key); // the parameter, as it is written

    @Post("/charges")
    @SendsIdempotencyKey(key = "#{ order.id() }") // an expression over the parameters
    Charge keyedByExpression(@Body @Nullable Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    Charge charge(@Body Order order);
    // end::keys[]

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    HttpResponse<Charge> exchange(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    HttpResponse<JsonError> lenient(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    Mono<Charge> chargeMono(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    Single<Charge> chargeSingle(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    CompletionStage<Charge> chargeStage(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    CompletableFuture<Charge> chargeFuture(@Body Order order);

    @Post("/charges")
    @SendsIdempotencyKey(retries = 3)
    Flux<Charge> chargeFlux(@Body Order order);

    @Post("/charges")
    @Retryable(attempts = "2", delay = "1ms")
    Charge retryable(@Body Order order);

    @Post("/charges")
    @Retryable(attempts = "2", delay = "1ms")
    Mono<Charge> retryableMono(@Body Order order);

    @Post("/charges")
    @Retryable(attempts = "2", delay = "1ms")
    CompletionStage<Charge> retryableStage(@Body Order order);

    @Post("/charges")
    Charge keyedByUuid(@Body Order order, @IdempotencyKey UUID key);

    @Post("/charges")
    Charge keyedByHeader(@Body Order order, @Header("Idempotency-Key") String key);

    @Post("/charges")
    @IdempotentOperation("psp-charge")
    @SendsIdempotencyKey(value = "psp", retries = 1)
    Charge chargeOnce(@Body Order order, @IdempotencyKey String key);

    @Post("/charges")
    @SendsIdempotencyKey("elsewhere")
    Charge traced(@Body Order order, @NotFingerprinted @Header("X-Trace") String trace);

    @Post("/random-key/charges")
    @SendsIdempotencyKey(retries = 3)
    Charge randomKey(@Body Order order);

    @Post("/uploads")
    @Produces("application/octet-stream")
    @SendsIdempotencyKey(retries = 3)
    Charge upload(@Body Publisher<byte[]> content);

    @Post("/chunks")
    Charge chunk(@Body List<Order> orders);

    @Post("/chunks")
    Charge amounts(@Body Map<String, BigDecimal> amounts);

    @Post("/chunks")
    @Produces("application/octet-stream")
    Charge bytes(@Body byte[] content);

    @Post("/chunks")
    Charge ids(@Body long[] ids);

    @Patch("/charges/1")
    Charge patch(@Body Order order);

    @Put("/charges/1")
    Charge put(@Body Order order);

    @Put("/charges/1")
    @SendsIdempotencyKey
    Charge markedPut(@Body Order order);

    @Put("/charges/1")
    @WithKey
    Charge composedPut(@Body Order order);

    @Post("/authorizations")
    @SendsIdempotencyKey("card")
    Charge authorize(@Body Order order);

    @Post("/captures")
    @SendsIdempotencyKey("card")
    Charge capture(@Body Order order);

    @Post("/captures")
    @SendsIdempotencyKey("card")
    Mono<Charge> captureLater(@Body Order order);

    @Put("/captures")
    @SendsIdempotencyKey("card")
    Charge replace(@Body Order order);

    @Get("/charges/1")
    @Consumes("application/json")
    Charge get();
}
