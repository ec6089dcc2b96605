package io.idempotency.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Lets threads loose on a store at the same moment. */
final class Together {

    private Together() {}

    /** Runs the work once in each of so many threads; the answers are in the order of the threads' numbers. */
    static <T> List<T> run(int threads, IntFunction<T> work) {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                calls.add(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    return work.apply(number);
                });
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : pool.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while threads ran", e);
        } catch (ExecutionException e) {
            throw new AssertionError("A thread failed: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }
}
