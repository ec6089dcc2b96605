package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.UnprotectedContext;
import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The context of an asynchronous call on its caller's thread. It is put around the body, which may run on another thread,
 * and around what follows the answer.
 *
 * @param propagated Micronaut's propagated context: the request, its security, its trace
 * @param mdc the logging context, also where it is not propagated; null for none
 */
record CallContext(PropagatedContext propagated, @Nullable Map<String, String> mdc) {

    static CallContext current() {
        return new CallContext(PropagatedContext.getOrEmpty(), MDC.getCopyOfContextMap());
    }

    /** This, and the other where this knows nothing. */
    CallContext or(CallContext other) {
        return new CallContext(
                propagated.getAllElements().isEmpty() ? other.propagated : propagated,
                mdc == null || mdc.isEmpty() ? other.mdc : mdc);
    }

    PropagatedContext around() {
        return withMdc(propagated, mdc);
    }

    /** Whether a call is made by the body of another one, which would be missing there if it were refused at shutdown. */
    static boolean isNested(PropagatedContext around) {
        return around.find(IdempotencyContext.class)
                        .isPresent() // a stream with every call would cost more than the question
                && around.findAll(IdempotencyContext.class).anyMatch(each -> !(each instanceof UnprotectedContext));
    }

    /**
     * The context of a thread that goes on itself. What was put into the MDC since Micronaut captured it would be lost
     * where the context is propagated anew.
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
