package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.Reloads;
import io.idempotency.ResultUnavailableException;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** {@link Reloads} methods of every shape, as an application has them. */
@MicronautTest
@Property(name = "test.reports", value = "true")
@Property(name = "idempotency.max-result-size", value = "0")
class ReloadTest {

    @Inject
    Reports reports;

    @Inject
    Archive archive;

    private final String id = UUID.randomUUID().toString();

    /** What is too large for the store is kept here. */
    @Singleton
    @Requires(property = "test.reports")
    static class Archive {
        final Map<String, Receipt> kept = new ConcurrentHashMap<>();

        @Reloads("make-report")
        Receipt report(String number) {
            return kept.get(IdempotencyContext.current().deriveKey("archive"));
        }

        @Reloads("make-report-later")
        Mono<Receipt> later(String number) {
            return Mono.justOrEmpty(kept.get(number));
        }
    }

    @Singleton
    @Requires(property = "test.reports")
    static class Reports {
        final Archive archive;

        Reports(Archive archive) {
            this.archive = archive;
        }

        @IdempotentOperation(value = "make-report", key = "id")
        Receipt make(String id) {
            Receipt receipt = new Receipt(id, archive.kept.size(), null, null);
            archive.kept.put(IdempotencyContext.current().deriveKey("archive"), receipt);
            return receipt;
        }

        @IdempotentOperation(value = "make-report-later", key = "id")
        CompletionStage<Receipt> later(String id) {
            return Mono.fromSupplier(() -> archive.kept.computeIfAbsent(id, key -> new Receipt(key, 1, null, null)))
                    .toFuture();
        }
    }

    @Test
    void aDuplicateGetsTheReloadedResultByTheKeyThatTheBodyDerived() {
        Receipt first = reports.make(id);
        assertThat(reports.make(id)).isSameAs(first);
    }

    @Test
    void anAsynchronousDuplicateGetsTheReloadedResult() {
        Receipt first = reports.later(id).toCompletableFuture().join();
        assertThat(reports.later(id).toCompletableFuture().join()).isSameAs(first);
    }

    @Test
    void aResultThatIsGoneEverywhereIsToldToHaveBeen() {
        reports.make(id);
        archive.kept.clear();
        assertThatThrownBy(() -> reports.make(id)).isInstanceOf(ResultUnavailableException.class);
        reports.later(id).toCompletableFuture().join();
        archive.kept.clear();
        assertThatThrownBy(() -> reports.later(id).toCompletableFuture().join())
                .hasCauseInstanceOf(ResultUnavailableException.class);
    }
}
