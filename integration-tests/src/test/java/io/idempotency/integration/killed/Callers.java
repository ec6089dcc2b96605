package io.idempotency.integration.killed;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Callers of one node: many for its pool, and some in transactions. Half of them are virtual threads where there are any. */
final class Callers {

    private static final int PLATFORM = 20;
    private static final int MORE = 20;

    /** Keys become known at this pace to all nodes, and the newest are called by all of them. */
    private static final long MILLIS_PER_KEY = 4;

    private static final int NEWEST = 150;
    private static final int BETWEEN_INTERRUPTIONS_MILLIS = 100;

    private final KilledPayments payments;
    private final TransactionOperations<Connection> transactions;
    private final Consumer<Told> told;
    private final String node = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong calls = new AtomicLong();

    Callers(ApplicationContext application, Consumer<Told> told) {
        this.payments = application.getBean(KilledPayments.class);
        this.transactions = application.getBean(
                Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
        this.told = told;
    }

    /** Until the process ends. Now and then one is interrupted. */
    void callForEver(ApplicationContext application, long sinceMs) {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Runnable caller = () -> {
            threads.add(Thread.currentThread());
            while (true) {
                call(keyOf(System.currentTimeMillis() - sinceMs));
                Thread.interrupted();
            }
        };
        start(application, caller);
        Runnable interrupter = () -> {
            while (true) {
                Effects.pause(BETWEEN_INTERRUPTIONS_MILLIS);
                threads.get(ThreadLocalRandom.current().nextInt(threads.size())).interrupt();
            }
        };
        new Thread(interrupter, "interrupter").start();
    }

    static void start(ApplicationContext application, Runnable caller) {
        ExecutorService virtual = application
                .findBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.VIRTUAL))
                .orElse(null);
        for (int i = 0; i < PLATFORM + MORE; i++) {
            if (i < PLATFORM || virtual == null) {
                new Thread(caller, "caller-" + i).start();
            } else {
                virtual.execute(caller);
            }
        }
    }

    /** Mostly a new one, which others call too; else any that there ever was. */
    private static String keyOf(long millis) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Kind[] kinds = Kind.values();
        long newest = millis / MILLIS_PER_KEY;
        long number = random.nextInt(20) == 0 ? random.nextLong(newest + 1) : newest + random.nextInt(NEWEST);
        return kinds[(int) (number % kinds.length)].key(number);
    }

    private void call(String key) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String call = node + '-' + calls.incrementAndGet();
        if (random.nextInt(3) > 0) {
            told.accept(pay(key, call));
        } else {
            inTransaction(key, call, random.nextBoolean(), random.nextInt(4) == 0);
        }
    }

    /** The caller's own transaction, and sometimes one within it; what a booking said counts only if that was committed. */
    private void inTransaction(String key, String call, boolean rollsBack, boolean nested) {
        Told[] heard = new Told[1];
        boolean committed = false;
        try {
            transactions.execute(TransactionDefinition.DEFAULT, outer -> {
                if (rollsBack) {
                    outer.setRollbackOnly();
                }
                heard[0] = nested
                        ? transactions.execute(
                                TransactionDefinition.of(Propagation.REQUIRES_NEW), inner -> pay(key, call))
                        : pay(key, call);
                return null;
            });
            committed = nested || !rollsBack;
        } catch (Exception e) {
            // the transaction could not be begun, or its end is not known
        }
        if (heard[0] != null && (committed || Kind.of(key) != Kind.BOOK)) {
            told.accept(heard[0]);
        }
    }

    Told pay(String key) {
        return pay(key, node + '-' + calls.incrementAndGet());
    }

    private Told pay(String key, String call) {
        Told.What what;
        String value;
        try {
            value = payments.pay(Kind.of(key), key, call);
            what = Told.What.RESULT;
        } catch (Exception e) { // also of those that are thrown undeclared
            value = e.getClass().getSimpleName();
            what = meaning(e);
        }
        return new Told(key, call, what, value, System.currentTimeMillis());
    }

    private static Told.What meaning(Exception e) {
        if (e instanceof OutcomeUnknownException) {
            return Told.What.UNKNOWN;
        }
        boolean nothing = e instanceof OperationInProgressException
                || (e instanceof IdempotencyException refusal && refusal.executed() == Executed.NO);
        return nothing ? Told.What.NOTHING_DONE : Told.What.FAILED;
    }
}
