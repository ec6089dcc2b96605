package io.idempotency.http.server;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** A route for every kind of result; each answers something else whenever its body runs. */
@Controller("/results")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.results")
class ResultsController {

    final AtomicInteger bodies = new AtomicInteger();

    enum Colour {
        RED,
        GREEN
    }

    @Serdeable
    record Thing(
            int number,
            String name,
            BigDecimal price,
            Instant at,
            Colour colour,
            List<String> none,
            @Nullable String absent,
            Map<String, Integer> counts) {}

    private int next() {
        return bodies.incrementAndGet();
    }

    private Thing thing() {
        return new Thing(
                next(),
                "\u00fcber \"quoted\"",
                new BigDecimal("12.50"),
                Instant.parse("2026-01-01T00:00:00.123456Z").plusSeconds(bodies.get()),
                Colour.GREEN,
                List.of(),
                null,
                Map.of("one", 1));
    }

    @Post("/object")
    @IdempotentOperation("result-object")
    Thing object(@Body String ignored) {
        return thing();
    }

    @Post("/created")
    @Status(HttpStatus.CREATED)
    @IdempotentOperation("result-created")
    Thing created(@Body String ignored) {
        return thing();
    }

    @Post("/list")
    @IdempotentOperation("result-list")
    List<Thing> list(@Body String ignored) {
        return List.of(thing(), thing());
    }

    @Post("/empty-list")
    @IdempotentOperation("result-empty-list")
    List<Thing> emptyList(@Body String ignored) {
        next();
        return List.of();
    }

    @Post("/text")
    @Produces(MediaType.TEXT_PLAIN)
    @IdempotentOperation("result-text")
    String text(@Body String ignored) {
        return "text \u00fc " + next();
    }

    @Post("/json-text")
    @IdempotentOperation("result-json-text")
    String jsonText(@Body String ignored) {
        return "{\"n\": " + next() + "}";
    }

    @Post("/xml")
    @Produces(MediaType.APPLICATION_XML)
    @IdempotentOperation("result-xml")
    String xml(@Body String ignored) {
        return "<n>" + next() + "</n>";
    }

    @Post("/image")
    @Produces(MediaType.IMAGE_PNG)
    @IdempotentOperation("result-image")
    byte[] image(@Body String ignored) {
        return new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, (byte) next(), -1};
    }

    @Post("/number")
    @Produces(MediaType.TEXT_PLAIN)
    @IdempotentOperation("result-number")
    int number(@Body String ignored) {
        return next();
    }

    @Post("/nothing")
    @IdempotentOperation("result-nothing")
    void nothing(@Body String ignored) {
        next();
    }

    @Post("/null")
    @Nullable
    @IdempotentOperation("result-null")
    Thing none(@Body String ignored) {
        next();
        return null;
    }

    @Post("/present")
    @IdempotentOperation("result-present")
    Optional<Thing> present(@Body String ignored) {
        return Optional.of(thing());
    }

    @Post("/empty")
    @IdempotentOperation("result-empty")
    Optional<Thing> empty(@Body String ignored) {
        next();
        return Optional.empty();
    }

    @Post("/later")
    @IdempotentOperation("result-later")
    CompletionStage<Thing> later(@Body String ignored) {
        return CompletableFuture.supplyAsync(this::thing);
    }

    @Post("/mono")
    @IdempotentOperation("result-mono")
    Mono<List<Thing>> mono(@Body String ignored) {
        return Mono.fromSupplier(() -> List.of(thing()));
    }

    @Post("/mono-response")
    @IdempotentOperation("result-mono-response")
    Mono<HttpResponse<Thing>> monoResponse(@Body String ignored) {
        return Mono.fromSupplier(
                () -> HttpResponse.accepted(URI.create("/jobs/1")).body(thing()));
    }

    @Post("/response")
    @IdempotentOperation("result-response")
    HttpResponse<Thing> response(@Body String ignored) {
        return HttpResponse.created(thing(), URI.create("/results/" + bodies.get()))
                .header("ETag", "\"" + bodies.get() + "\"")
                .header("Link", "</a>; rel=\"next\"")
                .header("Link", "</b>; rel=\"prev\"")
                .header("X-Own", "own " + bodies.get())
                .header("Operation-Location", "/operations/" + bodies.get())
                .header("Cache-Control", "private, max-age=60")
                .header("X-Request-Id", "request " + bodies.get())
                .header("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
                .cookie(Cookie.of("session", "secret"));
    }

    @Post("/vendor")
    @IdempotentOperation("result-vendor")
    HttpResponse<Thing> vendor(@Body String ignored) {
        return HttpResponse.ok(thing()).contentType("application/vnd.thing+json");
    }

    @Post("/bytes")
    @IdempotentOperation("result-bytes")
    HttpResponse<byte[]> bytes(@Body String ignored) {
        return HttpResponse.ok(("bytes " + next()).getBytes(StandardCharsets.UTF_8))
                .contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header("Content-Disposition", "attachment; filename=\"a.bin\"");
    }

    @Post("/no-content")
    @IdempotentOperation("result-no-content")
    HttpResponse<Void> noContent(@Body String ignored) {
        next();
        return HttpResponse.noContent();
    }

    @Post("/refused")
    @IdempotentOperation("result-refused")
    HttpResponse<Thing> refused(@Body String ignored) {
        return HttpResponse.unprocessableEntity().body(thing());
    }

    @Post("/broken")
    @IdempotentOperation("result-broken")
    HttpResponse<String> broken(@Body String ignored) {
        return HttpResponse.serverError("broken " + next()).contentType(MediaType.TEXT_PLAIN_TYPE);
    }

    @Post("/status")
    @IdempotentOperation("result-status")
    HttpStatus status(@Body String ignored) {
        next();
        return HttpStatus.ACCEPTED;
    }

    @Post("/thrown")
    @IdempotentOperation("result-thrown")
    Thing thrown(@Body String ignored) {
        throw new HttpStatusException(HttpStatus.CONFLICT, "thrown " + next());
    }
}
