package io.idempotency.runtime.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that ask one thing, of which few can be under way. */
class GroupCommitTest {

    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final List<List<String>> sent = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch answers = new CountDownLatch(1);
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private volatile RuntimeException failure;
    private volatile boolean nothingDone;
    private volatile boolean dies;
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    /** Held until the test lets it answer. */
    private class Held implements GroupCommit.Sender<String, String> {
        @Override
        public String alone(String question) {
            send(List.of(question));
            return question + "!";
        }

        @Override
        public List<GroupCommit.Answer<String>> together(List<String> questions) {
            send(questions);
            if (dies) {
                throw new StackOverflowError();
            }
            if (failure != null) {
                throw failure;
            }
            return questions.stream()
                    .map(question -> new GroupCommit.Answer<>(question + "!", question.equals("again")))
                    .toList();
        }

        private void send(List<String> questions) {
            mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            sent.add(questions);
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            underWay.decrementAndGet();
        }

        @Override
        public boolean didNothing(RuntimeException failed) {
            return nothingDone;
        }

        @Override
        public Object subject(String question) {
            return question;
        }

        @Override
        public long bytes(String question) {
            return question.startsWith("large") ? 1 << 20 : 1;
        }
    }

    private final GroupCommit<String, String> group = new GroupCommit<>(1, 1, new Held());

    private FutureTask<String> start(Callable<String> call) {
        FutureTask<String> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        threads.add(thread);
        thread.start();
        await().until(() -> task.isDone() || waits(thread));
        return task;
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private FutureTask<String> asks(String question) {
        return start(() -> group.ask(question, LONG));
    }

    @Test
    void aFreePlaceIsTakenAtOnceAndWhoWaitsIsTakenAlong() throws Exception {
        FutureTask<String> first = asks("first");
        FutureTask<String> second = asks("second");
        FutureTask<String> third = asks("third");
        assertThat(sent).containsExactly(List.of("first"));
        answers.countDown();
        assertThat(List.of(first.get(), second.get(), third.get())).containsExactly("first!", "second!", "third!");
        assertThat(sent).containsExactly(List.of("first"), List.of("second", "third"));
    }

    @Test
    void oneStatementAsksOnceAboutOneSubject() throws Exception {
        List<FutureTask<String>> calls = List.of(asks("plug"), asks("a"), asks("a"), asks("b"));
        answers.countDown();
        for (FutureTask<String> call : calls) {
            call.get();
        }
        assertThat(sent).containsExactly(List.of("plug"), List.of("a", "b"), List.of("a"));
    }

    @Test
    void whatIsLargeTogetherIsSentApart() throws Exception {
        List<FutureTask<String>> calls = List.of(asks("plug"), asks("large 1"), asks("large 2"), asks("small"));
        answers.countDown();
        for (FutureTask<String> call : calls) {
            call.get();
        }
        assertThat(sent.get(1)).containsExactly("large 1");
        assertThat(sent.subList(2, sent.size())).containsExactly(List.of("large 2"), List.of("small"));
    }

    @Test
    void whatMayHaveBeenExecutedIsToldToEach() {
        FutureTask<String> plug = asks("plug");
        List<FutureTask<String>> calls = List.of(asks("a"), asks("b"));
        failure = new IllegalStateException("connection lost");
        answers.countDown();
        assertThat(plug).succeedsWithin(Duration.ofMinutes(1));
        for (FutureTask<String> call : calls) {
            assertThatThrownBy(call::get).hasCause(failure);
        }
        assertThat(sent).hasSize(2);
    }

    @Test
    void whatDidNothingIsAskedByEachAlone() throws Exception {
        List<FutureTask<String>> calls = List.of(asks("plug"), asks("a"), asks("b"));
        failure = new IllegalStateException("refused");
        nothingDone = true;
        answers.countDown();
        for (FutureTask<String> call : calls) {
            assertThat(call.get()).endsWith("!");
        }
        assertThat(sent.subList(0, 2)).containsExactly(List.of("plug"), List.of("a", "b"));
        assertThat(sent.subList(2, 4)).containsExactlyInAnyOrder(List.of("a"), List.of("b"));
    }

    @Test
    void whoAsksAloneAgainHoldsUpNobody() throws Exception {
        CountDownLatch unlocked = new CountDownLatch(1);
        GroupCommit<String, String> one = new GroupCommit<>(1, 1, new Held() {
            @Override
            public String alone(String question) {
                if (question.equals("again")) {
                    try {
                        unlocked.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return super.alone(question);
            }
        });
        start(() -> one.ask("plug", LONG));
        FutureTask<String> leader = start(() -> one.ask("again", LONG));
        FutureTask<String> other = start(() -> one.ask("other", LONG));
        answers.countDown();
        assertThat(other.get()).isEqualTo("other!");
        assertThat(one.ask("later", LONG)).isEqualTo("later!");
        assertThat(leader).isNotDone();
        unlocked.countDown();
        assertThat(leader.get()).isEqualTo("again!");
    }

    @Test
    void anAnswerMayBeToAskAlone() throws Exception {
        List<FutureTask<String>> calls = List.of(asks("plug"), asks("again"), asks("b"));
        answers.countDown();
        assertThat(calls.get(1).get()).isEqualTo("again!");
        assertThat(calls.get(2).get()).isEqualTo("b!");
        assertThat(sent).contains(List.of("again"));
    }

    @Test
    void nothingIsSentForACallerWhoseTimeIsOverOrWhoIsInterrupted() throws Exception {
        FutureTask<String> plug = asks("plug");
        FutureTask<String> late = start(() -> group.ask("late", 1));
        assertThatThrownBy(late::get).hasCauseInstanceOf(TimeoutException.class);
        FutureTask<String> interrupted = asks("interrupted");
        threads.get(2).interrupt();
        assertThatThrownBy(interrupted::get).hasCauseInstanceOf(InterruptedException.class);
        answers.countDown();
        plug.get();
        assertThat(sent).containsExactly(List.of("plug"));
    }

    /** A claim that was made and is not kept by a standby must not be asked for again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoSharesAnInterruptedStatementAsksAloneUnlessItWasAnswered(boolean interruption) throws Exception {
        GroupCommit<String, String> one = new GroupCommit<>(1, 1, new Held() {
            @Override
            public List<GroupCommit.Answer<String>> together(List<String> questions) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("refused");
            }

            @Override
            public boolean isInterruption(RuntimeException failure) {
                return interruption;
            }
        });
        start(() -> one.ask("plug", LONG));
        FutureTask<String> leader = start(() -> one.ask("leader", LONG));
        FutureTask<String> other = start(() -> one.ask("other", LONG));
        answers.countDown();
        assertThatThrownBy(leader::get).hasRootCauseMessage("refused");
        if (interruption) {
            assertThat(other.get()).isEqualTo("other!");
        } else {
            assertThatThrownBy(other::get).hasRootCauseMessage("refused");
        }
    }

    @Test
    void aCallerThatDiesLeavesNobodyWaiting() throws Exception {
        FutureTask<String> plug = asks("plug");
        List<FutureTask<String>> calls = List.of(asks("a"), asks("b"));
        dies = true;
        answers.countDown();
        plug.get();
        assertThatThrownBy(calls.get(0)::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Error.class);
        assertThatThrownBy(calls.get(1)::get).rootCause().hasMessageContaining("may have been executed");
        dies = false;
        assertThat(asks("later").get()).isEqualTo("later!");
    }

    @Test
    void whoCannotHandThePlaceOnAnswersTheOthersAllTheSame() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        GroupCommit<String, String> broken = new GroupCommit<>(1, 1, new Held() {
            @Override
            public List<GroupCommit.Answer<String>> together(List<String> questions) {
                try {
                    next.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.together(questions);
            }

            @Override
            public long bytes(String question) {
                if (question.equals("unmeasured")) {
                    throw new StackOverflowError();
                }
                return super.bytes(question);
            }
        });
        FutureTask<String> plug = start(() -> broken.ask("plug", LONG));
        start(() -> broken.ask("a", LONG));
        FutureTask<String> along = start(() -> broken.ask("b", LONG));
        answers.countDown();
        plug.get();
        FutureTask<String> unmeasured = start(() -> broken.ask("unmeasured", LONG));
        next.countDown();
        assertThat(along.get()).isEqualTo("b!");
        assertThatThrownBy(unmeasured::get).hasCauseInstanceOf(StackOverflowError.class);
    }

    /** A row that it needs is locked, for instance. */
    @Test
    void whoWaitsForAStatementThatTakesLongGoesBeforeIt() throws Exception {
        CountDownLatch unlocked = new CountDownLatch(1);
        GroupCommit<String, String> lenient = new GroupCommit<>(1, 2, new Held() {
            @Override
            public String alone(String question) {
                if (question.equals("locked")) {
                    try {
                        unlocked.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return super.alone(question);
            }
        });
        answers.countDown();
        FutureTask<String> locked = start(() -> lenient.ask("locked", LONG));
        assertThat(lenient.ask("free", LONG)).isEqualTo("free!");
        assertThat(locked).isNotDone();
        unlocked.countDown();
        assertThat(locked.get()).isEqualTo("locked!");
    }

    /** Real threads: each is answered, with its own answer, and never more than there are places are under way. */
    @Test
    void manyThreadsAreAllAnsweredAndThePlacesSuffice() throws Exception {
        GroupCommit<String, String> two = new GroupCommit<>(2, 3, new Held());
        answers.countDown();
        AtomicBoolean wrong = new AtomicBoolean();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String name = "caller " + i + " ";
            Thread thread = new Thread(() -> {
                for (int n = 0; n < 500; n++) {
                    try {
                        wrong.compareAndSet(false, !(name + n + "!").equals(two.ask(name + n, LONG)));
                    } catch (TimeoutException | InterruptedException | RuntimeException e) {
                        wrong.set(true);
                    }
                }
            });
            callers.add(thread);
            thread.start();
        }
        for (Thread thread : callers) {
            thread.join();
        }
        assertThat(wrong).isFalse();
        assertThat(sent.stream().mapToInt(List::size).sum()).isEqualTo(32 * 500);
        assertThat(mostUnderWay.get()).isLessThanOrEqualTo(3);
    }
}
