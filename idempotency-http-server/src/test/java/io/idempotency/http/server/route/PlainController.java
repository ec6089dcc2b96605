package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.OperationInProgressException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.CustomHttpMethod;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A controller as it was before anybody thought of idempotency. */
@Controller("/plain")
@Requires(property = "test.plain")
class PlainController {

    final AtomicInteger bodies = new AtomicInteger();
    final AtomicBoolean unprotected = new AtomicBoolean();
    final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));

    @Serdeable
    record Order(String item, @Nullable BigDecimal price) {}

    @Serdeable
    record Placed(int number, String item, @Nullable BigDecimal price) {}

    private Placed placed(Order order) {
        return new Placed(bodies.incrementAndGet(), order.item(), order.price());
    }

    @Post("/pojo")
    @Status(HttpStatus.CREATED)
    Placed pojo(@Body Order order) {
        return placed(order);
    }

    @Post("/blocking")
    @ExecuteOn(TaskExecutors.BLOCKING)
    Placed blocking(@Body Order order) throws InterruptedException {
        Placed placed = placed(order);
        gate.get().await();
        return placed;
    }

    @Post("/later")
    CompletionStage<Placed> later(@Body Order order) {
        CountDownLatch opened = gate.get();
        return CompletableFuture.supplyAsync(() -> {
            Placed placed = placed(order);
            try {
                opened.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return placed;
        });
    }

    @Post("/response")
    HttpResponse<Placed> response(@Body Order order) {
        return HttpResponse.created(placed(order), URI.create("/plain/" + bodies.get()))
                .header("ETag", "\"" + bodies.get() + "\"")
                .cookie(Cookie.of("session", "secret"));
    }

    @Post("/open")
    HttpResponse<?> open(@Body Order order) {
        return HttpResponse.ok(Map.of("n", placed(order).number()));
    }

    @Post("/text")
    @Produces(MediaType.TEXT_PLAIN)
    String text(@Body Order order) {
        unprotected.set(!IdempotencyContext.current().isProtected());
        return "placed \u00fc " + placed(order).number();
    }

    @Post("/bytes")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    byte[] bytes(@Body Order order) {
        return new byte[] {0, (byte) placed(order).number(), -1};
    }

    @Post("/nothing")
    HttpResponse<Void> nothing(@Body Order order) {
        placed(order);
        return HttpResponse.noContent();
    }

    @Post("/empty")
    Optional<Placed> empty(@Body Order order) {
        placed(order);
        return Optional.empty();
    }

    @Post("/mono")
    Mono<List<Placed>> mono(@Body Mono<Order> order) {
        return order.map(it -> List.of(placed(it)));
    }

    @Post("/form")
    @io.micronaut.http.annotation.Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    String form(String item) {
        return item + bodies.incrementAndGet();
    }

    @Post("/refused")
    HttpResponse<Placed> refused(@Body Order order) {
        return HttpResponse.badRequest(placed(order));
    }

    @Post("/gone")
    Placed gone(@Body Order order) {
        placed(order);
        throw new HttpStatusException(HttpStatus.GONE, "gone " + bodies.get());
    }

    @Post("/returned/{status}")
    HttpResponse<Placed> returned(@PathVariable int status, @Body Order order) {
        return HttpResponse.<Placed>status(HttpStatus.valueOf(status)).body(placed(order));
    }

    @Post("/broken")
    Placed broken(@Body Order order) {
        placed(order);
        throw new IllegalStateException("broken");
    }

    /** Whether one of them has its value is not known by the name of both. */
    @Post("/same-name")
    Placed sameName(@Nullable @Header("times") String header, @QueryValue("times") int query, @Body Order order) {
        return broken(order);
    }

    @Post("/cut-off")
    Placed cutOff(@Body Order order) throws TimeoutException {
        placed(order);
        throw new TimeoutException("no answer");
    }

    /** As an operation below the controller does while another request runs it. */
    @Post("/busy-below")
    Placed busyBelow(@Body Order order) {
        placed(order);
        throw new OperationInProgressException("below", "00", "another call with this key is running", Duration.ZERO);
    }

    @CustomHttpMethod(method = "LINK", value = "/link")
    int link() {
        return bodies.incrementAndGet();
    }

    @CustomHttpMethod(method = "PROPFIND", value = "/found")
    int found() {
        return bodies.incrementAndGet();
    }

    @Post("/stream")
    @Produces(MediaType.TEXT_PLAIN)
    Flux<String> stream(@Body Order order) {
        return Flux.range(0, 3).map(i -> "part " + i + " of " + bodies.incrementAndGet());
    }

    @Post("/file")
    StreamedFile file(@Body Order order) {
        return new StreamedFile(
                new ByteArrayInputStream(("file " + placed(order).number()).getBytes(StandardCharsets.UTF_8)),
                MediaType.TEXT_PLAIN_TYPE);
    }

    @Post("/large")
    @Produces(MediaType.TEXT_PLAIN)
    String large(@Body Order order) {
        return "x".repeat(5000) + placed(order).number();
    }

    @Post("/query")
    int query(@QueryValue int times, @Body Order order) {
        return placed(order).number() * times;
    }

    @Post("/context")
    String context(@Body Order order) {
        bodies.incrementAndGet();
        return IdempotencyContext.current().deriveKey("psp");
    }

    @Delete("/{id}")
    int delete(@PathVariable String id) {
        return bodies.incrementAndGet();
    }

    @Get("/bodies")
    int bodies(@Header("X-Any") @Nullable String any) {
        return bodies.get();
    }
}
