package io.idempotency.integration.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that live as long as the run, with clients and jobs that call without a pause, and connections that are cut again and again: what the
 * second node holds in the last third of the run is no more than in the third before. {@code -Dsoak.minutes=30 -Dsoak.page=../docs/reliability.md}
 * draws it beside that page.
 */
@Tag("load")
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 1, unit = TimeUnit.DAYS)
class LeakTest {

    private static final double MINUTES = Double.parseDouble(System.getProperty("soak.minutes", "1"));
    private static final int SAMPLES = 120;

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "redis"})
    void nothingLeaks(String name) throws Exception {
        Random random = new Random();
        Path logs = Path.of("target", "soak", name);
        try (StoreUnderTest store =
                        name.equals("redis") ? RedisUnderTest.durable(random) : SqlUnderTest.postgresql(random);
                Campaign campaign = new Campaign(store, 2, logs, random, Map.of())) {
            campaign.with(List.of(Fault.CONNECTIONS_RESET));
            Duration span = Duration.ofMillis(Math.round(MINUTES * 60_000));
            CompletableFuture<Void> run = CompletableFuture.runAsync(() -> run(campaign, span));
            List<Footprint> held = new ArrayList<>();
            while (!run.isDone()) {
                TimeUnit.NANOSECONDS.sleep(span.toNanos() / SAMPLES);
                List<Long> pids = campaign.pids();
                if (pids.size() == 2) {
                    Footprint.of(pids.get(1)).ifPresent(held::add);
                }
            }
            run.get();
            assertThat(campaign.violations()).isEmpty();
            System.out.println(campaign + "\n" + held);
            String page = System.getProperty("soak.page");
            if (page != null) {
                Path picture = Path.of(page).resolveSibling("soak-" + name + ".svg");
                Files.writeString(picture, SoakPicture.of(campaign.store().toString(), MINUTES, held));
            }
            grows("heap in KB", held, Footprint::heapKb, 4096);
            grows("threads", held, Footprint::threads, 5);
            grows("sockets", held, Footprint::sockets, 5);
            grows("files", held, Footprint::files, 5);
        }
    }

    private static void run(Campaign campaign, Duration span) {
        try {
            campaign.run(span);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private static void grows(String what, List<Footprint> held, ToLongFunction<Footprint> value, long slack) {
        int third = held.size() / 3;
        long before = median(held.subList(third, 2 * third), value);
        long after = median(held.subList(2 * third, held.size()), value);
        assertThat(after).as("%s of %s", what, held).isLessThanOrEqualTo(before + before / 10 + slack);
    }

    private static long median(List<Footprint> held, ToLongFunction<Footprint> value) {
        long[] sorted = held.stream().mapToLong(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
