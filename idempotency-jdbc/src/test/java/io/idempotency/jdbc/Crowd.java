package io.idempotency.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many threads that do one thing at the same moment. */
final class Crowd implements AutoCloseable {

    private final int size;
    private final ExecutorService threads;

    Crowd(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size);
    }

    <T> List<T> atOnce(Callable<T> action) throws Exception {
        CyclicBarrier start = new CyclicBarrier(size);
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            futures.add(threads.submit(() -> {
                start.await();
                return action.call();
            }));
        }
        List<T> answers = new ArrayList<>();
        for (Future<T> future : futures) {
            answers.add(future.get());
        }
        return answers;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
