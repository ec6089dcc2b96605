package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On which threads asynchronous bodies start. */
class ThreadsTest {

    private record Seen(String name, boolean virtual) {
        static Seen here() {
            Thread thread = Thread.currentThread();
            // the JDK puts them all into a group of this name; the class is compiled for a JDK that has none
            return new Seen(thread.getName(), thread.getThreadGroup().getName().equals("VirtualThreads"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void bodiesStartOnMicronautsBlockingExecutorWhoseThreadsAreVirtualWhereTheJdkHasThem(Kind kind) {
        try (ApplicationContext context = ApplicationContext.run()) {
            LaterService service = context.getBean(LaterService.class);
            AtomicReference<Seen> thread = new AtomicReference<>();
            service.body = () -> {
                thread.set(Seen.here());
                return CompletableFuture.completedFuture("done");
            };
            kind.call(service, UUID.randomUUID().toString()).join();
            assertThat(thread.get().name()).doesNotContain("idempotency", "main");
            assertThat(thread.get().virtual()).isEqualTo(Runtime.version().feature() >= 21);
        }
    }
}
