package io.idempotency.runtime.intercept;

import io.micronaut.aop.MethodInvocationContext;

/** Marks an invocation that advice around the operation may repeat: all attempts are one call, with one key. */
public final class RepeatedInvocation {

    private static final String MARK = RepeatedInvocation.class.getName();

    private RepeatedInvocation() {}

    /** Keeps the key and fingerprint of the first attempt, whatever the body does to its arguments. */
    public static void mark(MethodInvocationContext<?, ?> invocation) {
        invocation.setAttribute(MARK, true);
    }

    static boolean is(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(MARK).isPresent();
    }
}
