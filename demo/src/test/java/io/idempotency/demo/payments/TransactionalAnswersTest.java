package io.idempotency.demo.payments;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.transaction.TransactionOperations;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer that is an error undoes the transaction that it shares with its record, whoever made it. */
class TransactionalAnswersTest {

    /** Books, and answers what it is told to. */
    @Controller("/books")
    @Requires(property = "test.books")
    static class Books {
        private final PaymentRepository payments;
        private final CountDownLatch booked = new CountDownLatch(1);
        private final CompletableFuture<Void> held = new CompletableFuture<>();

        private final TransactionOperations<Connection> transactions;

        Books(PaymentRepository payments, TransactionOperations<Connection> transactions) {
            this.payments = payments;
            this.transactions = transactions;
        }

        @Post("/{how}/{status}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(value = "book", transactional = true)
        io.micronaut.http.HttpResponse<String> book(@PathVariable String how, @PathVariable int status) {
            String id = UUID.randomUUID().toString();
            payments.save(new Payment(id, "o", new BigDecimal("1.00"), "EUR", "CHARGED"));
            if (how.equals("thrown")) {
                throw new HttpStatusException(HttpStatus.valueOf(status), "thrown");
            }
            if (how.equals("marked")) {
                transactions.findTransactionStatus().orElseThrow().setRollbackOnly();
            }
            if (how.equals("held")) {
                booked.countDown();
                held.join();
            }
            return io.micronaut.http.HttpResponse.<String>status(HttpStatus.valueOf(status))
                    .body(id);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "returned, 201, 1, true",
        "returned, 422, 1, true",
        "returned, 429, 0, false",
        "returned, 500, 0, false",
        "returned, 503, 0, false",
        "thrown, 422, 0, false",
        "thrown, 500, 0, false",
        "thrown, 503, 0, false"
    })
    void whatIsBookedIsWhatIsRecorded(String how, int status, int booked, boolean replayed) throws Exception {
        try (EmbeddedServer server = serve(how + status)) {
            PaymentRepository payments = server.getApplicationContext().getBean(PaymentRepository.class);
            HttpRequest request = request(server, how + "/" + status);
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(status);
                assertThat(answer.headers().firstValue("Idempotent-Replayed").isPresent())
                        .isEqualTo(replayed && i == 1);
                assertThat(payments.findAll()).hasSize(booked);
            }
        }
    }

    /** What the body returned did not happen. */
    @Test
    void aTransactionThatIsNotCommittedIsNeverAnsweredAsSuccess() throws Exception {
        try (EmbeddedServer server = serve("marked")) {
            HttpRequest request = request(server, "marked/201");
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(500);
                assertThat(answer.headers().firstValue("Idempotency-Status")).hasValue("executed;key=free");
            }
            HttpResponse<String> refusal =
                    HttpClient.newHttpClient().send(request(server, "marked/409"), BodyHandlers.ofString());
            assertThat(refusal.statusCode()).isEqualTo(409);
            assertThat(refusal.headers().firstValue("Idempotency-Status")).hasValue("executed;key=free");
            assertThat(server.getApplicationContext()
                            .getBean(PaymentRepository.class)
                            .findAll())
                    .isEmpty();
        }
    }

    @Test
    void aDuplicateOfATransactionThatIsNotOverIsToldToComeBackAndBooksNothing() throws Exception {
        try (EmbeddedServer server = serve("locked")) {
            PaymentRepository payments = server.getApplicationContext().getBean(PaymentRepository.class);
            Books books = server.getApplicationContext().getBean(Books.class);
            HttpRequest request = request(server, "held/201");
            HttpClient client = HttpClient.newHttpClient();
            CompletableFuture<HttpResponse<String>> first = client.sendAsync(request, BodyHandlers.ofString());
            books.booked.await();
            HttpResponse<String> duplicate = client.send(request, BodyHandlers.ofString());
            books.held.complete(null);
            assertThat(duplicate.statusCode()).isEqualTo(409);
            assertThat(duplicate.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(duplicate.headers().firstValue("Idempotency-Status"))
                    .hasValueSatisfying(status ->
                            assertThat(status).startsWith("refused;code=in-progress;executed=unknown;retry=same-key"));
            assertThat(duplicate.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(duplicate.body()).doesNotContainPattern("java|[Jj]dbc|SQL|H2|[0-9a-f]{9}|transaction");
            assertThat(first.join().statusCode()).isEqualTo(201);
            assertThat(client.send(request, BodyHandlers.ofString()).body())
                    .isEqualTo(first.join().body());
            assertThat(payments.findAll()).hasSize(1);
        }
    }

    private static EmbeddedServer serve(String database) {
        return ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "test.books",
                        true,
                        "micronaut.server.port",
                        -1,
                        "datasources.default.url",
                        "jdbc:h2:mem:books" + database),
                "test");
    }

    private static HttpRequest request(EmbeddedServer server, String path) {
        return HttpRequest.newBuilder(URI.create(server.getURI() + "/books/" + path))
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
    }
}
