package io.idempotency.test.contract;

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
import java.util.stream.IntStream;

/** Runs the same work on many threads at the same moment. */
public final class Together {

    private Together() {}

    /** Runs the work once in each thread, and returns the answers in the order of the threads' numbers. */
    public static <T> List<T> run(int threads, IntFunction<T> work) {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> calls = IntStream.range(0, threads)
                    .<Callable<T>>mapToObj(number -> () -> {
                        start.await(60, TimeUnit.SECONDS);
                        return work.apply(number);
                    })
                    .toList();
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
