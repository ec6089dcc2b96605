package io.idempotency.integration.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes, stores and the network between them fail at random while clients and jobs call; afterwards the checker compares what
 * callers were told with the effects. Longer, on one store, or with the same choice of faults:
 * {@code -Dcampaign.minutes=60 -Dcampaign.store=postgresql -Dcampaign.seed=4711}.
 */
@Tag("any-jdk")
@Tag("campaign")
@Timeout(value = 7, unit = TimeUnit.DAYS)
class CampaignTest {

    private static final String ALL = "postgresql,redis,sentinel,cluster,mariadb,mysql,h2";
    private static final String SHORT_OF = "postgresql,redis";

    private static final double MINUTES = Double.parseDouble(System.getProperty("campaign.minutes", "0"));
    private static final int NODES = Integer.getInteger("campaign.nodes", 2);
    private static final Duration SHORT = Duration.ofSeconds(20);

    static Stream<String> stores() {
        return Stream.of(System.getProperty("campaign.store", MINUTES > 0 ? ALL : SHORT_OF)
                .split(","));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void whateverFailsEveryPromiseIsKept(String name) throws Exception {
        long seed = Long.getLong("campaign.seed", System.nanoTime());
        Random random = new Random(seed);
        Path logs = Path.of("target", "campaign", name);
        try (StoreUnderTest store = store(name, random, logs);
                Campaign campaign = new Campaign(store, name.equals("h2") ? 1 : NODES, logs, random, Map.of())) {
            if (MINUTES > 0) {
                campaign.archived();
            }
            campaign.run(MINUTES > 0 ? Duration.ofSeconds(Math.round(60 * MINUTES)) : SHORT);
            List<String> violations = campaign.violations();
            System.out.println("seed " + seed + ", " + campaign);
            Report.add(seed, campaign, violations);
            assertThat(violations).as("seed %s, %s", seed, campaign).isEmpty();
        }
    }

    private static StoreUnderTest store(String name, Random random, Path logs) throws Exception {
        return switch (name) {
            case "postgresql" -> SqlUnderTest.postgresql(random);
            case "mysql" -> SqlUnderTest.mysql(random);
            case "mariadb" -> SqlUnderTest.mariadb(random);
            case "redis" -> RedisUnderTest.durable(random);
            case "sentinel" -> SentinelUnderTest.acknowledged();
            case "cluster" -> new ClusterUnderTest(random);
            case "h2" -> new FileUnderTest(logs);
            default -> throw new IllegalArgumentException("campaign.store is " + name + "; it may be one of " + ALL);
        };
    }
}
