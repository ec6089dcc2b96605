package io.idempotency.http.server.route;

import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.ProxyHttpClient;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The ways to pass requests on to another system. */
final class Gateways {

    /** Where the claim is configured to be: a proxy is covered behind it. */
    static final int CLAIM = 1000;

    private Gateways() {}

    /** Where the other system is. */
    @Singleton
    @Requires(property = "test.upstream")
    static class Target {
        private final ProxyHttpClient client;
        private final int port;

        Target(ProxyHttpClient client, @Value("${test.upstream}") int port) {
            this.client = client;
            this.port = port;
        }

        Publisher<MutableHttpResponse<?>> pass(HttpRequest<?> request) {
            return client.proxy(request.mutate()
                    .uri(uri -> uri.scheme("http").host("127.0.0.1").port(port)));
        }
    }

    /** By a controller. */
    @Controller("/by-controller")
    @Requires(property = "test.upstream")
    static class ByController {
        private final Target target;

        ByController(Target target) {
            this.target = target;
        }

        @Post("/{+rest}")
        Publisher<MutableHttpResponse<?>> pass(HttpRequest<?> request, String rest) {
            return target.pass(request);
        }
    }

    /** By an annotated method. */
    @Controller("/annotated")
    @Requires(property = "test.upstream")
    static class Annotated {
        private final Target target;

        Annotated(Target target) {
            this.target = target;
        }

        @Post("/{+rest}")
        @IdempotentOperation("gateway-annotated")
        Publisher<MutableHttpResponse<?>> pass(@NotFingerprinted HttpRequest<?> request, String rest) {
            return target.pass(request);
        }
    }

    /** By an annotated method that blocks a thread. */
    @Controller("/blocking")
    @Requires(property = "test.upstream")
    static class Blocking {
        final CompletableFuture<Void> passed = new CompletableFuture<>();
        private final Target target;

        Blocking(Target target) {
            this.target = target;
        }

        @Post("/{+rest}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation("gateway-blocking")
        HttpResponse<?> pass(@NotFingerprinted HttpRequest<?> request, String rest) {
            HttpResponse<?> response = Mono.from(target.pass(request)).block();
            passed.complete(null);
            return response;
        }
    }

    /** By a filter method, whose order is the last unless it says otherwise. */
    @ServerFilter("/by-filter/**")
    @Requires(property = "test.upstream")
    static class ByFilter {
        private final Target target;

        ByFilter(Target target) {
            this.target = target;
        }

        @RequestFilter
        Publisher<? extends HttpResponse<?>> pass(HttpRequest<?> request) {
            return target.pass(request);
        }
    }

    /** By a filter of the older kind, behind ours. */
    @Filter("/by-older-filter/**")
    @Requires(property = "test.upstream")
    static class ByOlderFilter implements HttpServerFilter {
        private final Target target;

        ByOlderFilter(Target target) {
            this.target = target;
        }

        @Override
        public int getOrder() {
            return CLAIM + 1;
        }

        @Override
        public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
            return target.pass(request);
        }
    }

    /** By a filter in front of ours. */
    @Filter("/in-front/**")
    @Requires(property = "test.upstream")
    static class InFront implements HttpServerFilter {
        private final Target target;

        InFront(Target target) {
            this.target = target;
        }

        @Override
        public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
            return target.pass(request);
        }
    }
}
