package io.idempotency.runtime.intercept;

import io.idempotency.runtime.call.Operation;
import io.micronaut.core.reflect.ClassUtils;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.NonBlocking;

/**
 * Warns when a synchronous method is called on a server's event loop, where Micronaut calls controllers by default:
 * while the store is asked or a duplicate waits, no other request of that thread is answered.
 */
@Singleton
final class EventLoops {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

    /** Whether the class path has Reactor's interface, with which Micronaut's server marks its threads. */
    private static final boolean MARKED =
            ClassUtils.isPresent("reactor.core.scheduler.NonBlocking", EventLoops.class.getClassLoader());

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /** Checks the current thread, for every synchronous call. */
    void watch(Operation operation) {
        if (MARKED
                && Thread.currentThread() instanceof NonBlocking
                && operation.mayWait()
                && reported.add(operation.name())) {
            LOG.warn(
                    "Idempotent operation '{}' is called on an event loop ({}): while its store is asked, or a duplicate"
                            + " waits, no other request of that thread is answered. Annotate the controller with"
                            + " @ExecuteOn(TaskExecutors.BLOCKING), set micronaut.server.thread-selection: AUTO, or return"
                            + " Mono or CompletionStage.",
                    operation.name(),
                    Thread.currentThread().getName());
        }
    }
}
