package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An Error where a command is sent is heard by whoever waits for its answer, and is nobody's trouble afterwards. */
@org.junit.jupiter.api.Timeout(value = 60, threadMode = org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD)
class DriverErrorTest {

    private static final String ERROR = "of this test";

    private final ReplicatedRedis redis = new ReplicatedRedis();
    private final DyingTimer timer = new DyingTimer();
    private final ClientResources driver =
            ClientResources.builder().timer(timer).build();
    private RedisApplication application;
    private IdempotencyStore store;

    @BeforeEach
    void start() {
        application = RedisApplication.with(driver, redis.master().uri(), RedisApplication.ACKNOWLEDGED);
        store = application.store();
        acquired(store, claim("before"));
    }

    @AfterEach
    void stop() {
        timer.dies = thread -> false;
        redis.replica().resume();
        application.close();
        redis.close();
        driver.shutdown();
        timer.stop();
    }

    @Test
    void whoComesAfterACallerThatDiedIsAnswered() {
        timer.dies = thread -> true;
        assertThatThrownBy(() -> get(store.claim(claim("k")))).hasStackTraceContaining(ERROR);
        timer.dies = thread -> false;
        assertThat(get(store.claim(claim("other")))).isInstanceOf(ClaimResult.Acquired.class);
    }

    /** The driver's thread sends for those that came while the replica was waited for. */
    @Test
    void whoWaitsForItsTurnHearsOfAnErrorInTheDriversThread() {
        List<Ownership> owners =
                Stream.of("a", "b", "c").map(key -> acquired(store, claim(key))).toList();
        redis.replica().pause();
        List<CompletionStage<Settled>> asked = owners.stream()
                .map(owner -> store.complete(owner, result("done"), RETENTION))
                .toList();
        Thread own = Thread.currentThread();
        timer.dies = thread -> thread != own;
        redis.replica().resume();
        assertThat(get(asked.get(0))).isInstanceOf(Settled.Applied.class);
        for (CompletionStage<Settled> waited : asked.subList(1, 3)) {
            assertThatThrownBy(() -> get(waited)).hasStackTraceContaining(ERROR);
        }
        timer.dies = thread -> false;
        assertThat(get(store.complete(owners.get(1), result("done"), RETENTION)))
                .isInstanceOf(Settled.Applied.class);
    }

    @Test
    void whoseScriptTheServerForgotHearsOfAnErrorWhenItIsSentAgain() {
        redis.onMaster().scriptFlush();
        AtomicInteger scriptAndWait = new AtomicInteger(2);
        timer.dies = thread -> scriptAndWait.decrementAndGet() < 0;
        assertThatThrownBy(() -> get(store.claim(claim("k")))).hasStackTraceContaining(ERROR);
        timer.dies = thread -> false;
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Acquired.class);
    }

    /** The driver starts one for every command, in the thread that sends it. */
    private static final class DyingTimer implements Timer {

        private final Timer timer = new HashedWheelTimer();
        private volatile Predicate<Thread> dies = thread -> false;

        @Override
        public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
            if (dies.test(Thread.currentThread())) {
                throw new OutOfMemoryError(ERROR);
            }
            return timer.newTimeout(task, delay, unit);
        }

        @Override
        public Set<Timeout> stop() {
            return timer.stop();
        }
    }
}
