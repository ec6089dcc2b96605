package io.idempotency.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCommitTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What a batch does where it was told to wait. */
    private final Semaphore gate = new Semaphore(0);

    private final Queue<List<Integer>> sent = new ConcurrentLinkedQueue<>();
    private final List<Thread> callers = new ArrayList<>();

    @AfterEach
    void open() throws InterruptedException {
        gate.release(1_000_000);
        for (Thread caller : callers) {
            caller.join(10_000);
        }
    }

    private List<String> send(List<Integer> questions) {
        sent.add(questions);
        gate.acquireUninterruptibly();
        return questions.stream().map(question -> "answer " + question).toList();
    }

    private CompletableFuture<String> asking(GroupCommit<Integer, String> group, int question) {
        return calling(() -> group.ask(question));
    }

    /** Returns when the caller waits, or has its answer. */
    private CompletableFuture<String> calling(Supplier<String> call) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                answer.complete(call.get());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        caller.setDaemon(true);
        callers.add(caller);
        caller.start();
        await().pollInterval(Duration.ofMillis(1)).until(() -> answer.isDone() || waits(caller));
        return answer;
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void callerThatFindsAFreePlaceGoesAloneAndThoseThatWaitGoTogether() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(2, 64, PATIENCE, this::send);
        List<CompletableFuture<String>> answers = IntStream.rangeClosed(1, 6)
                .mapToObj(question -> asking(group, question))
                .toList();
        assertThat(sent).containsExactly(List.of(1), List.of(2));
        gate.release(3);
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get()).isEqualTo("answer " + (i + 1));
        }
        assertThat(sent).containsExactly(List.of(1), List.of(2), List.of(3, 4, 5, 6));
    }

    @Test
    void batchIsNoLargerThanItMayBeAndWhatGoesAloneSharesNone() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 3, PATIENCE, this::send);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        answers.add(asking(group, 1));
        answers.add(asking(group, 2));
        answers.add(calling(() -> group.askAlone(3)));
        IntStream.rangeClosed(4, 7).forEach(question -> answers.add(asking(group, question)));
        gate.release(4);
        for (CompletableFuture<String> answer : answers) {
            answer.get();
        }
        assertThat(sent).containsExactly(List.of(1), List.of(2, 4, 5), List.of(3), List.of(6, 7));
    }

    @Test
    void refusedBatchIsSentOneByOneOnce() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, PATIENCE, questions -> {
            List<String> answers = send(questions);
            if (questions.size() > 1 || questions.contains(3)) {
                throw new GroupCommit.RefusedException(new IllegalArgumentException("refused " + questions));
            }
            return answers;
        });
        List<CompletableFuture<String>> answers =
                IntStream.rangeClosed(1, 3).mapToObj(i -> asking(group, i)).toList();
        gate.release(4);
        assertThat(answers.get(0).get()).isEqualTo("answer 1");
        assertThat(answers.get(1).get()).isEqualTo("answer 2");
        assertThat(failure(answers.get(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("refused [3]");
        assertThat(sent).hasSize(4).contains(List.of(2), List.of(3));
    }

    private static Throwable failure(CompletableFuture<String> answer) throws InterruptedException {
        try {
            throw new AssertionError("answered " + answer.get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failureWithoutAnAnswerReachesEveryCallerOfTheBatchAndGivesThePlaceBack(boolean error) throws Exception {
        AtomicInteger batches = new AtomicInteger();
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, PATIENCE, questions -> {
            List<String> answers = send(questions);
            if (batches.incrementAndGet() != 2) {
                return answers;
            } else if (error) {
                throw new StackOverflowError("of the leader");
            }
            throw new IllegalStateException("no answer");
        });
        List<CompletableFuture<String>> answers =
                IntStream.rangeClosed(1, 4).mapToObj(i -> asking(group, i)).toList();
        gate.release(3);
        assertThat(answers.get(0).get()).isEqualTo("answer 1");
        for (CompletableFuture<String> answer : answers.subList(1, 4)) {
            assertThat(failure(answer))
                    .isInstanceOfAny(IllegalStateException.class, StackOverflowError.class)
                    .hasMessageContaining(error ? "of the leader" : "no answer");
        }
        assertThat(group.ask(5)).isEqualTo("answer 5");
    }

    @Test
    void missingAnswerIsAFailureOfTheWholeBatch() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, PATIENCE, questions -> {
            List<String> answers = send(questions);
            return answers.subList(0, 1);
        });
        List<CompletableFuture<String>> answers =
                IntStream.rangeClosed(1, 3).mapToObj(i -> asking(group, i)).toList();
        gate.release(2);
        assertThat(answers.get(0).get()).isEqualTo("answer 1");
        assertThat(failure(answers.get(1))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(failure(answers.get(2))).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void interruptedCallerStillGetsItsAnswerAndIsInterruptedAfterwards() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, PATIENCE, questions -> {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return send(questions);
        });
        asking(group, 1);
        CompletableFuture<String> second =
                calling(() -> group.ask(2) + " " + Thread.currentThread().isInterrupted());
        callers.get(1).interrupt();
        gate.release(2);
        assertThat(second.get()).isEqualTo("answer 2 true");
        Thread.currentThread().interrupt();
        gate.release();
        assertThat(group.ask(3)).isEqualTo("answer 3");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptionOfTheCallerThatSendsFailsItsOwnQuestionOnly() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, PATIENCE, questions -> {
            if (questions.size() == 1) {
                return send(questions);
            }
            inside.countDown();
            try {
                gate.tryAcquire(1_000, 60, TimeUnit.SECONDS);
                throw new AssertionError("nobody interrupted");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // as a virtual thread's socket does
                throw new IllegalStateException("closed by the interruption");
            }
        });
        List<CompletableFuture<String>> answers =
                IntStream.rangeClosed(1, 3).mapToObj(i -> asking(group, i)).toList();
        gate.release();
        inside.await();
        callers.get(1).interrupt();
        gate.release();
        assertThat(failure(answers.get(1))).hasMessage("closed by the interruption");
        assertThat(answers.get(2).get()).isEqualTo("answer 3");
    }

    @Test
    void questionThatWaitsForTooLongIsNotSent() throws Exception {
        GroupCommit<Integer, String> group = new GroupCommit<>(1, 64, Duration.ofMillis(20), this::send);
        CompletableFuture<String> first = asking(group, 1);
        assertThatThrownBy(() -> group.ask(2))
                .isInstanceOf(GroupCommit.NotSentException.class)
                .hasMessageContaining("was not sent");
        gate.release();
        assertThat(first.get()).isEqualTo("answer 1");
        assertThat(sent).containsExactly(List.of(1));
    }

    /** Nothing else is known of the order in which threads run. */
    @Test
    void everyOneOfManyCallersGetsItsOwnAnswerAndNoMoreThanTheWidthAreUnderWay() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        GroupCommit<Integer, String> group = new GroupCommit<>(2, 8, PATIENCE, questions -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            List<String> answers =
                    questions.stream().map(question -> "answer " + question).toList();
            underWay.decrementAndGet();
            return answers;
        });
        List<CompletableFuture<Boolean>> right = new ArrayList<>();
        for (int caller = 0; caller < 16; caller++) {
            int own = caller;
            CompletableFuture<Boolean> all = new CompletableFuture<>();
            right.add(all);
            Thread thread = new Thread(() -> all.complete(IntStream.range(0, 5_000)
                    .map(i -> own * 5_000 + i)
                    .allMatch(question -> group.ask(question).equals("answer " + question))));
            thread.setDaemon(true);
            callers.add(thread);
            thread.start();
        }
        for (CompletableFuture<Boolean> all : right) {
            assertThat(all.get()).isTrue();
        }
        assertThat(most.get()).isLessThanOrEqualTo(2);
    }
}
