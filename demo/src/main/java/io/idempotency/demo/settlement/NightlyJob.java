package io.idempotency.demo.settlement;

import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Every node has this timetable. It may run again after a crash, too: what it calls happens once for each day. */
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
    void settleYesterday() {
        settle(LocalDate.now(ZoneOffset.UTC).minusDays(1));
    }

    void settle(LocalDate day) {
        Settlement settlement = settlements.settle(day);
        reports.send(settlement);
    }
    // end::job[]
}
