package io.idempotency.demo.settlement;

import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every node has this timetable, and takes former days too: what it calls happens once for each day. */
@Singleton
class NightlyJob {

    private static final Logger LOG = LoggerFactory.getLogger(NightlyJob.class);

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
        try {
            Settlement settlement = settlements.settle(day);
            reports.send(settlement);
        } catch (RuntimeException e) {
            LOG.error("{} is not settled", day, e); // the other days are
        }
    }
    // end::job[]
}
