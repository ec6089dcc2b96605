package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.ClaimResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A claim that looks first, where most calls are replays; the contract itself: {@link RedisLookingTckTest}. */
class LooksFirstTest extends OnSharedRedis {

    static final String[] ALWAYS = {"idempotency.redis.look-first-from", "0", "idempotency.redis.batch-above", "0"};

    /** So many replays in a row are more than nine calls in ten, whatever came before. */
    private static final int MANY = 300;

    private void completed(String key, Duration retention) {
        get(store.complete(acquired(store, claim(key)), result("done"), retention));
    }

    private void replay(String key) {
        assertThat(get(store.claim(claim(key))))
                .isInstanceOfSatisfying(
                        ClaimResult.Duplicate.class,
                        duplicate -> assertThat(duplicate.record().result()).isEqualTo(result("done")));
    }

    private Map<String, Long> executed() {
        return RedisApplication.executed(redis);
    }

    @Test
    void aReplayAmongReplaysIsOneGet() {
        completed("k", RETENTION);
        IntStream.range(0, MANY).forEach(i -> replay("k"));
        redis.configResetstat();
        replay("k");
        assertThat(executed()).containsEntry("get", 1L).doesNotContainKeys("evalsha", "mget");
    }

    @Test
    void afterSomeFirstCallsClaimsLookNoLonger() {
        completed("k", RETENTION);
        IntStream.range(0, MANY).forEach(i -> replay("k"));
        IntStream.range(0, MANY).forEach(i -> acquired(store, claim("new" + i)));
        redis.configResetstat();
        replay("k");
        assertThat(executed()).containsEntry("evalsha", 1L);
    }

    @Test
    void aKeyThatIsNewAmongReplaysIsClaimedOnce() {
        completed("k", RETENTION);
        IntStream.range(0, MANY).forEach(i -> replay("k"));
        List<CompletionStage<ClaimResult>> claims =
                IntStream.range(0, 100).mapToObj(i -> store.claim(claim("new"))).toList();
        assertThat(claims.stream().map(Calls::get).filter(ClaimResult.Acquired.class::isInstance))
                .hasSize(1);
    }

    @Test
    void whatIsForgottenWithinASecondIsLeftToTheScriptWhichHasTheClock() {
        completed("k", RETENTION);
        completed("short", Duration.ofMillis(900));
        IntStream.range(0, MANY).forEach(i -> replay("k"));
        redis.configResetstat();
        get(store.claim(claim("short")));
        assertThat(executed()).containsEntry("evalsha", 1L);
    }

    @Nested
    class Foreign extends ForeignRecordTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

    @Nested
    class Golden extends GoldenRecordsTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }
}
