package io.idempotency.http.server;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

@Controller("/shop")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.shop")
public class ShopController {

    public final AtomicInteger bodies = new AtomicInteger();
    private final DeepService deep;

    ShopController(DeepService deep) {
        this.deep = deep;
    }

    @Serdeable
    record Item(String name, BigDecimal price) {}

    @Serdeable
    record Sold(int number, String name, BigDecimal price) {}

    private Sold sell(Item item) {
        return new Sold(bodies.incrementAndGet(), item.name(), item.price());
    }

    @Post("/pojo")
    @Status(HttpStatus.CREATED)
    @IdempotentOperation("sell-pojo")
    public Sold pojo(@Body Item item) {
        return sell(item);
    }

    @Post("/response")
    @IdempotentOperation("sell-response")
    public HttpResponse<Sold> response(@Body Item item) {
        return HttpResponse.created(sell(item), URI.create("/shop/1"))
                .header("X-Trace", "of this exchange only")
                .cookie(Cookie.of("session", "secret"));
    }

    @Post("/returned/{status}")
    @IdempotentOperation("sell-returned")
    public HttpResponse<Sold> returned(@PathVariable int status, @Body Item item) {
        return HttpResponse.<Sold>status(HttpStatus.valueOf(status)).body(sell(item));
    }

    @Post("/odd-status")
    @IdempotentOperation("sell-odd-status")
    public HttpResponse<Sold> oddStatus(@Body Item item) {
        return HttpResponse.<Sold>status(299, "Odd").body(sell(item));
    }

    @Post("/nothing")
    @IdempotentOperation("sell-nothing")
    public HttpResponse<Void> nothing(@Body Item item) {
        sell(item);
        return HttpResponse.noContent();
    }

    @Post("/text")
    @Produces(MediaType.TEXT_PLAIN)
    @IdempotentOperation("sell-text")
    public String text(@Body Item item) {
        return "sold " + sell(item).number();
    }

    @Post("/maybe")
    @IdempotentOperation("sell-maybe")
    public Optional<Sold> maybe(@Body Item item) {
        sell(item);
        return Optional.empty();
    }

    @Post("/reactive")
    @IdempotentOperation("sell-reactive")
    public Mono<Sold> reactive(@Body Item item) {
        return Mono.fromSupplier(() -> sell(item));
    }

    @Post("/sold-out")
    @IdempotentOperation("sell-sold-out")
    public Sold soldOut(@Body Item item) {
        bodies.incrementAndGet();
        throw new HttpStatusException(HttpStatus.GONE, "sold out");
    }

    @Post("/broken")
    @IdempotentOperation("sell-broken")
    public Sold broken(@Body Item item) {
        bodies.incrementAndGet();
        throw new IllegalStateException("broken");
    }

    @Post("/cut-off")
    @IdempotentOperation("sell-cut-off")
    public Sold cutOff(@Body Item item) throws TimeoutException {
        bodies.incrementAndGet();
        throw new TimeoutException("no answer");
    }

    /** As a declarative client does when it cannot use the answer of the system behind. */
    @Post("/answered/{status}")
    @IdempotentOperation("sell-answered")
    public Sold answered(@PathVariable int status, @Body Item item) {
        bodies.incrementAndGet();
        throw new HttpClientResponseException("answered", HttpResponse.status(HttpStatus.valueOf(status)));
    }

    @Post("/optional")
    @IdempotentOperation(value = "sell-optional", keyRequired = false)
    public Sold optional(@Body Item item) {
        return sell(item);
    }

    @Post("/reserve")
    @IdempotentOperation(value = "sell-reserve", namespace = "tickets")
    public Sold reserve(@Body Item item) {
        return sell(item);
    }

    @Post("/cancel")
    @IdempotentOperation(value = "sell-cancel", namespace = "tickets")
    public Sold cancel(@Body Item item) {
        return sell(item);
    }

    @Post("/deep")
    public String deep(@Body Item item) {
        return "deep " + deep.sell(item.name());
    }

    @Get("/bodies")
    public int bodies() {
        return bodies.get();
    }

    /** Far below the controller, keyed by its argument. */
    @Singleton
    @Requires(property = "test.shop")
    static class DeepService {
        final AtomicInteger bodies = new AtomicInteger();

        @IdempotentOperation(value = "sell-deep", key = "name")
        public int sell(String name) {
            return bodies.incrementAndGet();
        }
    }
}
