package io.idempotency.demo.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job that several nodes run at once, and that takes former days too. */
@Tag("thorough")
@MicronautTest(transactional = false)
@IdempotencyTest
@Property(name = "idempotency.store", value = "memory")
class NightlyJobTest {

    @Inject
    NightlyJob job;

    @Inject
    Reports reports;

    @Inject
    Mail mail;

    @Inject
    IdempotencyTestKit kit;

    @Test
    void tenNodesSettleADayOnceAndSendOneReport() {
        LocalDate day = LocalDate.of(2026, 1, 1);

        kit.atOnce(10, () -> {
            job.settle(day);
            return day;
        });

        assertThat(kit.calls("settle-day")).ranOnce().replayed(9);
        assertThat(kit.calls("send-report")).ranOnce().replayed(9);
        assertThat(mail.subjects()).containsOnlyOnce("Settlement of 2026-01-01");
    }

    @Test
    void eachDayIsSettledByItself() {
        job.settle(LocalDate.of(2026, 1, 2));
        job.settle(LocalDate.of(2026, 1, 3));

        assertThat(kit.calls("settle-day")).ran(2);
        assertThat(mail.subjects()).contains("Settlement of 2026-01-02", "Settlement of 2026-01-03");
    }

    @Test
    void aDayThatIsCutOffHoldsNoOtherUpAndIsSettledByALaterRun() {
        LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
        kit.store().crashNextOwner();
        job.settleLastDays(); // of the newest day nobody knows what became
        kit.skip(Duration.ofSeconds(31));

        job.settleLastDays();

        assertThat(kit.calls("settle-day")).ran(4).replayed(2).inDoubt(0);
        assertThat(mail.subjects())
                .containsOnlyOnce("Settlement of " + yesterday)
                .contains("Settlement of " + yesterday.minusDays(1), "Settlement of " + yesterday.minusDays(2));
    }

    @Test
    void aReportWhoseSenderDiedIsSentAgainRatherThanNever() {
        Settlement settlement = new Settlement(LocalDate.of(2026, 1, 4), 1, BigDecimal.TEN);

        kit.store().crashNextOwner();
        reports.send(settlement);
        kit.skip(Duration.ofSeconds(31));
        reports.send(settlement);
        reports.send(settlement);

        assertThat(kit.calls("send-report")).ran(2).replayed(1);
    }
}
