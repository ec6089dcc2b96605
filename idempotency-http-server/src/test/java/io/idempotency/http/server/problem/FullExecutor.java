package io.idempotency.http.server.problem;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** An application's executor of blocking tasks, which takes none while a test says so. */
@Singleton
@Requires(property = "test.causes")
class FullExecutor implements BeanCreatedEventListener<ExecutorService> {

    final AtomicBoolean full = new AtomicBoolean();

    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        boolean blocking = event.getBeanIdentifier().getName().equals(TaskExecutors.BLOCKING);
        return blocking ? new Bounded(event.getBean(), full) : event.getBean();
    }

    private static final class Bounded extends AbstractExecutorService {
        private final ExecutorService tasks;
        private final AtomicBoolean full;

        Bounded(ExecutorService tasks, AtomicBoolean full) {
            this.tasks = tasks;
            this.full = full;
        }

        @Override
        public void execute(Runnable task) {
            if (full.get()) {
                throw new RejectedExecutionException("no thread at db-7.internal");
            }
            tasks.execute(task);
        }

        @Override
        public void shutdown() {
            tasks.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return tasks.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return tasks.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return tasks.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return tasks.awaitTermination(timeout, unit);
        }
    }
}
