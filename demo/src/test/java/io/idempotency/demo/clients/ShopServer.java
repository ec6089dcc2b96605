package io.idempotency.demo.clients;

import io.idempotency.IdempotentOperation;
import io.idempotency.test.servers.FaultProxy;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An API with one annotated and one configured route, named as the SDK of Stripe names its own, behind a proxy. */
final class ShopServer implements AutoCloseable {

    static final String ANNOTATED = "/v1/payment_intents";
    static final String CONFIGURED = "/v1/customers";

    private final EmbeddedServer server;
    private final FaultProxy proxy;
    private final Script script;

    ShopServer() {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "test.foreign-clients",
                true,
                "micronaut.server.port",
                -1,
                "datasources.default.url",
                "jdbc:h2:mem:" + UUID.randomUUID(),
                "idempotency.store",
                "memory",
                "idempotency.http.routes.foreign-configured.path",
                CONFIGURED));
        server = ApplicationContext.run(EmbeddedServer.class, properties, "test");
        proxy = FaultProxy.to("127.0.0.1", server.getPort());
        script = server.getApplicationContext().getBean(Script.class);
    }

    String url() {
        return "http://127.0.0.1:" + proxy.port();
    }

    int bodies() {
        return script.bodies.get();
    }

    int requests() {
        return script.requests.get();
    }

    /** The answer to the first request is cut off; whatever comes then passes. */
    void loseTheFirstAnswer() {
        script.begin(0, proxy::pass);
        proxy.resetOnReply();
    }

    /** The connection breaks while the body runs, which ends when a second request has been answered. */
    void breakWhileTheBodyRuns() {
        proxy.pass();
        script.begin(1, () -> {});
        script.onBody = proxy::reset;
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }

    /** What is to happen to the next call, and what has. */
    @Singleton
    @Requires(property = "test.foreign-clients")
    static class Script {
        final AtomicInteger bodies = new AtomicInteger();
        final AtomicInteger requests = new AtomicInteger();
        volatile CountDownLatch answered = new CountDownLatch(0);
        volatile Runnable onSecond = () -> {};
        volatile Runnable onBody = () -> {};

        void begin(int answersToWaitFor, Runnable second) {
            bodies.set(0);
            requests.set(0);
            answered = new CountDownLatch(answersToWaitFor);
            onSecond = second;
            onBody = () -> {};
        }
    }

    /** Sees every request and every answer. */
    @ServerFilter("/v1/**")
    @Requires(property = "test.foreign-clients")
    static class Watch {
        private final Script script;

        Watch(Script script) {
            this.script = script;
        }

        @RequestFilter
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void seen(HttpRequest<?> request) {
            int number = script.requests.incrementAndGet();
            request.setAttribute("number", number);
            if (number > 1) {
                script.onSecond.run();
            }
        }

        @ResponseFilter
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void answered(HttpRequest<?> request) {
            if (request.getAttribute("number", Integer.class).orElse(0) > 1) {
                script.answered.countDown();
            }
        }
    }

    /** What was made. */
    @Serdeable
    record Made(String id, String object) {}

    @Controller("/v1")
    @Consumes(MediaType.ALL)
    @Requires(property = "test.foreign-clients")
    @ExecuteOn(TaskExecutors.BLOCKING)
    static class ShopController {
        private final Script script;

        ShopController(Script script) {
            this.script = script;
        }

        @Post("/payment_intents")
        @IdempotentOperation("foreign-annotated")
        Made pay(@Body String order) throws InterruptedException {
            return made("payment_intent");
        }

        @Post("/customers")
        Made register(@Body String customer) throws InterruptedException {
            return made("customer");
        }

        private Made made(String object) throws InterruptedException {
            int number = script.bodies.incrementAndGet();
            script.onBody.run();
            if (!script.answered.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no second request came");
            }
            return new Made(object + "-" + number, object);
        }
    }
}
