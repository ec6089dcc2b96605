package io.idempotency.integration.campaign;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Told;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One node of the campaign, in a process of its own: an HTTP server, and jobs that call beans until the process is killed. With a
 * file of keys it calls each of them until the answer lasts, and ends.
 */
final class CampaignNode {

    static final String PROPERTY = "campaign.node";

    /** A file of keys, to be called once all faults are over. */
    static final String AGAIN = "campaign.again";

    /** When the campaign began, by the machine's clock; without it no jobs run. */
    static final String SINCE = "campaign.since";

    /** Whether many bodies take as long as a lease, and old keys are called often. */
    static final String SLOW = "campaign.slow";

    /** Whether the ledger compares fences of what may be taken over. */
    static final String FENCES = "campaign.fences";

    /** How long a job rests between two calls, in milliseconds: nodes start faster beside jobs that rest. */
    static final String THINK = "campaign.think";

    private static final int JOBS = 12;
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Operations.Beans beans;
    private final @Nullable Bookings bookings;
    private final String node = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong calls = new AtomicLong();

    private CampaignNode(ApplicationContext application) {
        this.beans = application.getBean(Operations.Beans.class);
        this.bookings = application.findBean(Bookings.class).orElse(null);
    }

    static boolean checksFences() {
        return !"false".equals(System.getProperty(FENCES));
    }

    /** The process: {@code name=value} for each property of its application. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        for (String argument : arguments) {
            String name = argument.substring(0, argument.indexOf('='));
            String value = argument.substring(argument.indexOf('=') + 1);
            properties.put(name, value);
            System.setProperty(name, value);
        }
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        ApplicationContext application = ApplicationContext.run(properties, "test");
        CampaignNode node = new CampaignNode(application);
        EmbeddedServer server = application.getBean(EmbeddedServer.class).start();
        ChildOutput.say(ChildOutput.READY + server.getPort());
        String again = (String) properties.get(AGAIN);
        if (again != null) {
            node.callAgain(Files.readAllLines(Path.of(again)));
            System.exit(0);
        }
        String since = (String) properties.get(SINCE);
        if (since != null) {
            node.startJobs(Long.parseLong(since));
        }
        ChildOutput.endWithParent();
    }

    /** Jobs that call until the process is killed, and are interrupted now and then. */
    private void startJobs(long since) {
        Thread[] jobs = new Thread[JOBS];
        for (int i = 0; i < JOBS; i++) {
            jobs[i] = new Thread(() -> callForEver(since), "job-" + i);
            jobs[i].start();
        }
        Runnable interrupter = () -> {
            while (true) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                jobs[ThreadLocalRandom.current().nextInt(JOBS)].interrupt();
            }
        };
        new Thread(interrupter, "interrupter").start();
    }

    private void callForEver(long since) {
        Kind[] kinds = bookings == null
                ? new Kind[] {Kind.JOB, Kind.RETRY, Kind.RECONCILE, Kind.TAKE_OVER}
                : new Kind[] {Kind.JOB, Kind.RETRY, Kind.RECONCILE, Kind.TAKE_OVER, Kind.BOOK};
        long thinkNanos = TimeUnit.MILLISECONDS.toNanos(Long.getLong(THINK, 0));
        while (true) {
            LockSupport.parkNanos(thinkNanos);
            String key = Keys.some(since, kinds);
            String payload = Keys.payload(key);
            boolean inTransaction =
                    bookings != null && ThreadLocalRandom.current().nextInt(4) == 0;
            Told told = inTransaction ? inTransaction(bookings, key, payload) : call(key, payload);
            if (told != null) {
                told(told);
            }
            Thread.interrupted();
        }
    }

    /** In a transaction of the caller's. Null where it was rolled back and the answer with it. */
    private @Nullable Told inTransaction(Bookings transactions, String key, String payload) {
        AtomicReference<Told> told = new AtomicReference<>();
        boolean committed = transactions.around(() -> told.set(call(key, payload)));
        return committed || Kind.of(key) != Kind.BOOK ? told.get() : null;
    }

    private void callAgain(List<String> all) throws InterruptedException {
        ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>(all);
        Thread[] threads = new Thread[JOBS];
        for (int i = 0; i < JOBS; i++) {
            threads[i] = new Thread(
                    () -> {
                        for (String key = keys.poll(); key != null; key = keys.poll()) {
                            told(settled(key));
                        }
                    },
                    "last-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Every lease of a dead node ends meanwhile. */
    private Told settled(String key) {
        long since = System.nanoTime();
        Told told = call(key, Keys.original(key));
        while (told.answer() == Answer.DID_NOT_RUN && System.nanoTime() - since < STUCK_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            told = call(key, Keys.original(key));
        }
        return told;
    }

    private static void told(Told told) {
        ChildOutput.say(told.line());
    }

    private Told call(String key, String payload) {
        String call = node + '-' + calls.incrementAndGet();
        long start = System.nanoTime();
        Answer answer;
        String value;
        try {
            value = run(key, payload, call);
            answer = Answer.RESULT;
        } catch (Exception e) { // also those that are thrown undeclared
            value = e instanceof IdempotencyException refusal
                    ? refusal.code()
                    : e.getClass().getSimpleName();
            answer = meaning(e);
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return new Told(call, key, payload, answer, value, took, System.currentTimeMillis());
    }

    private String run(String key, String payload, String call) throws Exception {
        return switch (Kind.of(key)) {
            case JOB -> beans.job(key, payload, call);
            case RETRY -> beans.retry(key, payload, call);
            case RECONCILE -> beans.reconcile(key, payload, call);
            case TAKE_OVER -> beans.takeOver(key, payload, call);
            case BOOK -> bookings.book(key, payload, call);
            case PAY -> throw new IllegalArgumentException("Paid over HTTP only: " + key);
        };
    }

    private static Answer meaning(Exception e) {
        if (e instanceof OutcomeUnknownException) {
            return Answer.UNKNOWN;
        }
        if (e instanceof IdempotencyKeyReusedException) {
            return Answer.OTHER_PAYLOAD;
        }
        boolean overtaken =
                e instanceof OperationInProgressException && e.getMessage().contains("lost its claim");
        boolean nothing = e instanceof OperationInProgressException && !overtaken
                || (e instanceof IdempotencyException refusal && refusal.executed() == Executed.NO);
        return nothing ? Answer.DID_NOT_RUN : Answer.FAILED;
    }

    /** Which keys are called: the newest by all nodes at once, and now and then any that there ever was. */
    static final class Keys {

        private static final long MILLIS_PER_KEY = 20;
        private static final int NEWEST = 60;
        private static final int SLOW_KEYS = 400;

        private Keys() {}

        static String some(long since, Kind... kinds) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            long newest = Math.max(0, System.currentTimeMillis() - since) / MILLIS_PER_KEY;
            if (Boolean.getBoolean(SLOW)) {
                long old = Math.max(0, newest - random.nextInt(SLOW_KEYS));
                return kinds[(int) (old % kinds.length)].key(old);
            }
            long number = random.nextInt(10) == 0 ? random.nextLong(newest + 1) : newest + random.nextInt(NEWEST);
            return kinds[(int) (number % kinds.length)].key(number);
        }

        /** What a key is mostly called with. */
        static String original(String key) {
            return "of-" + key;
        }

        /** Sometimes another one, which has to be refused. */
        static String payload(String key) {
            return ThreadLocalRandom.current().nextInt(20) == 0 ? "altered-" + key : original(key);
        }
    }
}
