package io.idempotency.demo.settlement;

import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.IntStream;

/** Every node has this timetable, and takes former days too: what it calls happens once for each day. */
@Singleton
class NightlyJob {

    private final Settlements settlements;
    private final Reports reports;

    NightlyJob(Settlements settlements, Reports reports) {
        this.settlements = settlements;
        this.reports = reports;
    }

    // tag::job[]
    @Scheduled(cron = "0 30 1 * * *", zoneId = "UTC")
    void settleLastDays() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        IntStream.rangeClosed(1, 3).mapToObj(today::minusDays).forEach(this::settle);
    }

    void settle(LocalDate day) {
        Settlement settlement = settlements.settle(day);
        reports.send(settlement);
    }
    // end::job[]
}
