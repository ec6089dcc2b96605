package io.idempotency.integration.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.List;

/** The results of all runs, one line of JSON each, in {@code target/campaign/results.jsonl}. */
final class Report {

    private static final Path RESULTS = Path.of("target", "campaign", "results.jsonl");

    private Report() {}

    static void add(long seed, Campaign campaign, List<String> violations) throws IOException {
        String faults = campaign.faults().entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
                .reduce((one, other) -> one + "," + other)
                .orElse("");
        String answers = campaign.history().answers().entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
                .reduce((one, other) -> one + "," + other)
                .orElse("");
        String line =
                "{\"date\":\"%s\",\"java\":\"%s\",\"store\":\"%s\",\"seed\":%d,\"calls\":%d,\"keys\":%d,\"answers\":{%s},\"faults\":{%s},\"violations\":%d}%n"
                        .formatted(
                                LocalDate.now(),
                                System.getProperty("java.version"),
                                campaign.store(),
                                seed,
                                campaign.history().calls(),
                                campaign.history().keys().size(),
                                answers,
                                faults,
                                violations.size());
        Files.writeString(RESULTS, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
