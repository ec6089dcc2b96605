package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.UnprotectedContext;
import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The context of the caller of an asynchronous call. It surrounds the body, which may run on another thread, and the
 * code that follows the answer.
 *
 * @param propagated Micronaut's propagated context: request, security, trace
 * @param mdc the logging context, even if it is not propagated; null for none
 */
record CallContext(PropagatedContext propagated, @Nullable Map<String, String> mdc) {

    static CallContext current() {
        return new CallContext(PropagatedContext.getOrEmpty(), MDC.getCopyOfContextMap());
    }

    /** Returns this context, with the parts that are empty here taken from the other. */
    CallContext or(CallContext other) {
        return new CallContext(
                propagated.getAllElements().isEmpty() ? other.propagated : propagated,
                mdc == null || mdc.isEmpty() ? other.mdc : mdc);
    }

    PropagatedContext around() {
        return withMdc(propagated, mdc);
    }

    /** Tells whether another call's body makes the call. Refusing such a call at shutdown would break that body. */
    static boolean isNested(PropagatedContext around) {
        return around.find(IdempotencyContext.class)
                        .isPresent() // streaming all contexts for every call would cost more than this
                && around.findAll(IdempotencyContext.class).anyMatch(each -> !(each instanceof UnprotectedContext));
    }

    /**
     * Returns the context of a thread that continues itself. Adds what was put into the MDC after Micronaut captured
     * it, which propagating that context again would lose.
     */
    static PropagatedContext ofThisThread() {
        PropagatedContext here = PropagatedContext.getOrEmpty();
        return here.find(MdcPropagationContext.class).isEmpty() ? here : withMdc(here, MDC.getCopyOfContextMap());
    }

    private static PropagatedContext withMdc(PropagatedContext context, @Nullable Map<String, String> mdc) {
        boolean nothing = mdc == null || mdc.isEmpty();
        return nothing && context.find(MdcPropagationContext.class).isEmpty()
                ? context
                : context.plus(new MdcPropagationContext(mdc == null ? Map.of() : mdc));
    }
}
