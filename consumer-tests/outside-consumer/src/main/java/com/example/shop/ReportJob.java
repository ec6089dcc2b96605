package com.example.shop;

import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.concurrent.CountDownLatch;

/** Asks for the day's report again and again, as the jobs of several nodes do. */
@Singleton
class ReportJob {

    static final LocalDate DAY = LocalDate.of(2026, 1, 2);

    final CountDownLatch runs = new CountDownLatch(3);
    private final Reports reports;

    ReportJob(Reports reports) {
        this.reports = reports;
    }

    @Scheduled(fixedDelay = "50ms")
    void run() {
        reports.write(DAY);
        runs.countDown();
    }
}
