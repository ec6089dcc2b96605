package io.idempotency.runtime.intercept;

import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import java.security.Principal;
import java.util.function.Supplier;
import org.slf4j.MDC;

/**
 * What surrounds a call: a logging context, a request with its principal, and an element of the application's own.
 *
 * @param trace from the MDC, put there before Micronaut's context was captured
 * @param step from the MDC, put there afterwards
 * @param principal of the current request
 * @param element of the propagated context
 */
record Surroundings(String trace, String step, String principal, String element) {

    private record Element(String value) implements PropagatedContextElement {}

    static Surroundings named(String name) {
        return new Surroundings(name, name, name, name);
    }

    /** Where this is. */
    static Surroundings here() {
        return new Surroundings(
                MDC.get("trace"),
                MDC.get("step"),
                ServerRequestContext.currentRequest()
                        .flatMap(request -> request.getUserPrincipal(Principal.class))
                        .map(Principal::getName)
                        .orElse(null),
                PropagatedContext.getOrEmpty()
                        .find(Element.class)
                        .map(Element::value)
                        .orElse(null));
    }

    /** Calls something in here. */
    <T> T call(boolean micronautKnowsTheMdc, Supplier<T> call) {
        MDC.put("trace", trace);
        HttpRequest<Object> request = HttpRequest.GET("/");
        request.setAttribute(HttpAttributes.PRINCIPAL, (Principal) () -> principal);
        try {
            return ServerRequestContext.with(request, (Supplier<T>) () -> {
                PropagatedContext context = PropagatedContext.get().plus(new Element(element));
                try (PropagatedContext.Scope ignored =
                        (micronautKnowsTheMdc ? context.plus(new MdcPropagationContext()) : context).propagate()) {
                    MDC.put("step", step);
                    return call.get();
                }
            });
        } finally {
            MDC.clear();
        }
    }
}
