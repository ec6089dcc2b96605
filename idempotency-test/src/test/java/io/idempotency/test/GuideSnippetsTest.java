package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.Reloads;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.reconcile.AbandonedReconciler;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The small pieces of code of the guide's pages, compiled and run. */
@MicronautTest(transactional = false)
@IdempotencyTest
@Property(name = "guide.snippets", value = "true")
@Property(name = "idempotency.operations.import-invoice.programmatic", value = "true")
@Property(name = "idempotency.operations.guide-report.max-result-size", value = "10")
@Property(name = "idempotency.reconcile.interval", value = "50ms")
class GuideSnippetsTest {

    @Serdeable
    record ChargeRequest(String orderId, String card) {}

    @Serdeable
    record Receipt(String id) {}

    @Serdeable
    record Invoice(String number) {}

    @Serdeable
    record Report(String text) {}

    static class CardDeclined extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CardDeclined(String message) {
            super(message);
        }
    }

    static class InvalidFile extends IOException {
        private static final long serialVersionUID = 1L;
    }

    static class ProviderException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Singleton
    @Requires(property = "guide.snippets")
    static class Provider {
        final Map<String, Receipt> charges = new ConcurrentHashMap<>();
        final Map<String, Report> archive = new ConcurrentHashMap<>();
        volatile @Nullable Exception failure;

        Receipt charge(ChargeRequest request) throws Exception {
            if (failure != null) {
                throw failure;
            }
            return new Receipt(request.orderId());
        }

        Optional<Receipt> findByKey(String key) {
            return Optional.ofNullable(charges.get(key));
        }
    }

    @Singleton
    @Requires(property = "guide.snippets")
    static class Others {

        private final Provider provider;

        Others(Provider provider) {
            this.provider = provider;
        }

        // tag::lists[]
        @IdempotentOperation(
                value = "guide-lists",
                noEffectFor = CardDeclined.class,
                finalFor = InvalidFile.class, // an IOException, but the body's own decision
                unknownFor = ProviderException.class) // may have charged before it failed
        // end::lists[]
        Receipt lists(ChargeRequest request) throws Exception {
            return provider.charge(request);
        }

        // tag::wait[]
        @IdempotentOperation(
                value = "guide-wait",
                key = "request.orderId",
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "10s")
        // end::wait[]
        Receipt waits(ChargeRequest request) throws Exception {
            return provider.charge(request);
        }

        @IdempotentOperation(value = "guide-declined", key = "request.orderId")
        Receipt declines(ChargeRequest request) {
            throw new CardDeclined("The card " + request.card() + " was declined");
        }

        @IdempotentOperation(value = "guide-abandoned", key = "request.orderId", onAbandoned = OnAbandoned.RECONCILE)
        Receipt abandoned(ChargeRequest request) throws Exception {
            Receipt receipt = provider.charge(request);
            provider.charges.put(IdempotencyContext.current().deriveKey("psp"), receipt);
            return receipt;
        }

        @Reconciles("guide-abandoned")
        Reconciliation<Receipt> reconcile(ChargeRequest request) {
            return Reconciliation.unknown("asked in the background");
        }
    }

    @Singleton
    @Requires(property = "guide.snippets")
    static class Reports {

        private final Provider archive;

        Reports(Provider archive) {
            this.archive = archive;
        }

        @IdempotentOperation(value = "guide-report", key = "day")
        Report make(String day) {
            Report report = new Report("a long report of " + day);
            archive.archive.put(IdempotencyContext.current().deriveKey("archive"), report);
            return report;
        }

        // tag::reloads[]
        @Reloads("guide-report")
        @Nullable
        Report find(String day) { // the operation's parameters and result; or a stage, Mono, …
            return archive.archive.get(IdempotencyContext.current().deriveKey("archive"));
        }
        // end::reloads[]
    }

    @Requires(property = "guide.snippets")
    // tag::sanitizer[]
    @Singleton
    static class KeptMessages implements FailureSanitizer {
        @Override
        public @Nullable String message(Throwable failure) {
            return failure instanceof CardDeclined ? failure.getMessage() : null; // written for customers
        }
    }
    // end::sanitizer[]

    @Requires(property = "guide.snippets")
    // tag::reconciler[]
    @Singleton
    static class LostCharges implements AbandonedReconciler {

        private final Provider provider;

        LostCharges(Provider provider) {
            this.provider = provider;
        }

        @Override
        public String operation() {
            return "guide-abandoned";
        }

        @Override
        public Reconciliation<?> reconcile(IdempotencyContext context) {
            return provider.findByKey(context.deriveKey("psp")) // the key that the body had sent
                    .<Reconciliation<?>>map(Reconciliation::done)
                    .orElseGet(() -> Reconciliation.unknown("the provider does not know it yet"));
        }
    }
    // end::reconciler[]

    @Requires(property = "guide.snippets")
    @Singleton
    static class Invoices {

        private final IdempotencyExecutor executor;

        Invoices(IdempotencyExecutor executor) {
            this.executor = executor;
        }

        // tag::invoices[]
        void importAll(List<Invoice> file) {
            for (Invoice invoice : file) {
                executor.execute("import-invoice", invoice.number(), invoice, Receipt.class, () -> book(invoice));
            }
        }
        // end::invoices[]

        private Receipt book(Invoice invoice) {
            return new Receipt(invoice.number());
        }
    }

    @Inject
    Provider provider;

    @Inject
    Others others;

    @Inject
    Reports reports;

    @Inject
    Invoices invoices;

    @Inject
    IdempotencyTestKit kit;

    private static ChargeRequest order(String id) {
        return new ChargeRequest(id, "4711");
    }

    @Test
    void exceptionsMeanWhatTheListsSay() throws Exception {
        provider.failure = new CardDeclined("no");
        assertThatThrownBy(() -> others.lists(order("o-1"))).isInstanceOf(CardDeclined.class);
        provider.failure = null;
        assertThat(others.lists(order("o-1"))).isEqualTo(others.lists(order("o-1")));
        assertThat(others.waits(order("o-1"))).isEqualTo(others.waits(order("o-1")));

        provider.failure = new InvalidFile();
        assertThatThrownBy(() -> others.lists(order("o-2"))).isInstanceOf(InvalidFile.class);
        provider.failure = new ProviderException();
        assertThatThrownBy(() -> others.lists(order("o-3"))).isInstanceOf(ProviderException.class);
        provider.failure = null;
        assertThatThrownBy(() -> others.lists(order("o-2"))).isInstanceOf(PreviousAttemptFailedException.class);
        assertThatThrownBy(() -> others.lists(order("o-3"))).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void whatASanitizerKeepsIsTold() {
        assertThatThrownBy(() -> others.declines(order("o-4"))).isInstanceOf(CardDeclined.class);
        assertThatThrownBy(() -> others.declines(order("o-4"))).hasMessageContaining("The card 4711 was declined");
    }

    @Test
    void aResultThatIsNotStoredIsReloaded() {
        assertThat(reports.make("monday")).isEqualTo(reports.make("monday"));
        assertThat(kit.calls("guide-report")).ranOnce().replayed(1);
    }

    @Test
    void anAbandonedRunIsFoundInTheBackground() throws Exception {
        kit.store().crashNextOwner();
        others.abandoned(order("o-5"));
        kit.skip(Duration.ofSeconds(31));

        Awaitility.await()
                .ignoreExceptionsInstanceOf(IdempotencyException.class) // the search has not begun, or is under way
                .untilAsserted(() -> assertThat(others.abandoned(order("o-5"))).isEqualTo(new Receipt("o-5")));
        assertThat(kit.calls("guide-abandoned")).ranOnce();
    }

    @Test
    void anInvoiceThatIsInTwoFilesIsBookedOnce() {
        invoices.importAll(List.of(new Invoice("i-1"), new Invoice("i-2")));
        invoices.importAll(List.of(new Invoice("i-2"), new Invoice("i-3")));

        assertThat(kit.calls("import-invoice")).ran(3).replayed(1);
    }
}
