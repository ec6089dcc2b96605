package io.idempotency.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What operators import and read has the names that a running application has. */
@MicronautTest(startApplication = false)
@Property(name = "micronaut.metrics.enabled", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "idempotency.metrics.interval", value = "50ms")
@Property(name = "idempotency.purge.interval", value = "50ms")
@Property(name = "test.operations-files", value = "true")
class OperationsFilesTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Path DASHBOARD = DOCS.resolve("operations/grafana-dashboard.json");
    private static final Path ALERTS = DOCS.resolve("operations/prometheus-alerts.yml");
    private static final Path RUN_BOOK = DOCS.resolve("operating.md");
    private static final Path METERS = DOCS.resolve("monitoring.md");
    private static final Pattern NAME = Pattern.compile("\\bidempotency_[a-z_]+\\b");

    /** One call, so that there is something to show. */
    @Singleton
    @Requires(property = "test.operations-files")
    static class Shop {
        @IdempotentOperation(value = "sell-shown", key = "id")
        public void sell(String id) {}
    }

    @Inject
    Shop shop;

    @Inject
    PrometheusMeterRegistry prometheus;

    @Inject
    JsonMapper json;

    private static Set<String> namesIn(String text) {
        return NAME.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Everything that is there once the stores were asked and a purge ran. */
    private Set<String> scraped() {
        shop.sell("1");
        await().until(() -> prometheus.scrape().contains("idempotency_purge_seconds_count"));
        await().until(() -> prometheus.scrape().contains("idempotency_retries_memory_bytes"));
        return prometheus
                .scrape()
                .lines()
                .filter(line -> line.startsWith("idempotency_"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    private static List<String> rows(Path page, String heading) throws IOException {
        String section = read(page).split("(?m)^#+ " + heading + "\\R", 2)[1].split("(?m)^#+ ", 2)[0];
        return section.lines().filter(line -> line.startsWith("| `")).toList();
    }

    private String kindOf(Meter meter) {
        return switch (prometheus
                .get(meter.id)
                .meters()
                .iterator()
                .next()
                .getId()
                .getType()) {
            case COUNTER -> "counter";
            case TIMER -> "timer";
            default -> "gauge";
        };
    }

    private String prometheusName(Meter meter) {
        String name = meter.id.replace('.', '_');
        return name
                + switch (kindOf(meter)) {
                    case "counter" -> "_total";
                    case "timer" -> "_seconds";
                    default -> meter == Meter.RETRY_MEMORY ? "_bytes" : "";
                };
    }

    @Test
    void theTableOfMetersIsTheRunningApplications() throws IOException {
        Set<String> scraped = scraped();
        List<String> expected = Arrays.stream(Meter.values())
                .map(meter -> "| `%s` | %s | %s | %s |"
                        .formatted(meter.id, kindOf(meter), String.join(", ", meter.tags), meter.description))
                .toList();
        assertThat(rows(METERS, "Metrics")).containsExactlyElementsOf(expected);
        for (Meter meter : Meter.values()) {
            assertThat(scraped)
                    .as(meter.id)
                    .contains(prometheusName(meter) + (kindOf(meter).equals("timer") ? "_count" : ""));
        }
    }

    @Test
    void dashboardAndAlertsAskForWhatThereIs() throws IOException {
        Map<?, ?> dashboard = json.readValue(read(DASHBOARD), Map.class);
        assertThat((List<?>) dashboard.get("panels")).hasSizeGreaterThan(10);
        Set<String> scraped = scraped();
        assertThat(namesIn(read(DASHBOARD))).hasSizeGreaterThan(12).isSubsetOf(scraped);
        assertThat(namesIn(read(ALERTS))).hasSizeGreaterThan(8).isSubsetOf(scraped);
    }

    @Test
    void everyTagThatAnExpressionGroupsByIsOneOfItsMeters() throws IOException {
        Set<String> tags = Arrays.stream(Meter.values())
                .flatMap(meter -> meter.tags.stream())
                .collect(Collectors.toSet());
        tags.add("instance"); // Prometheus' own
        Matcher by = Pattern.compile("by \\(([a-z, ]+)\\)").matcher(read(DASHBOARD) + read(ALERTS));
        while (by.find()) {
            assertThat(tags).containsAll(List.of(by.group(1).split(", ")));
        }
    }

    @Test
    void everyAlertHasALineThatSaysWhatToDo() throws IOException {
        List<String> alerts = Pattern.compile("- alert: (\\w+)")
                .matcher(read(ALERTS))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(alerts).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        assertThat(rows(RUN_BOOK, "What to do about an alert"))
                .extracting(row -> row.replaceFirst("^\\| `(\\w+)`.*", "$1"))
                .containsExactlyElementsOf(alerts);
    }
}
