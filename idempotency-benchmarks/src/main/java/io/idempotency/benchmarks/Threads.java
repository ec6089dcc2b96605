package io.idempotency.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Threads of a kind: {@code platform}, or {@code virtual} from Java 21 on. */
final class Threads {

    private Threads() {}

    /** Empty where this Java has no such threads. */
    static Optional<ThreadFactory> of(String kind) {
        return kind.equals("platform")
                ? Optional.of(Thread::new)
                : Optional.ofNullable(Runtime.version().feature() >= 21 ? virtual() : null);
    }

    private static ThreadFactory virtual() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
            MethodHandle factory = lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class));
            return (ThreadFactory) factory.invoke(ofVirtual.invoke());
        } catch (Throwable e) {
            throw new IllegalStateException("Java " + Runtime.version() + " makes no virtual threads", e);
        }
    }
}
