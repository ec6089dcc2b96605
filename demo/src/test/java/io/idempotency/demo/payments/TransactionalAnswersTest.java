package io.idempotency.demo.payments;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer that is an error undoes the transaction that it shares with its record, whoever made it. */
class TransactionalAnswersTest {

    /** Books, and answers what it is told to. */
    @Controller("/books")
    @Requires(property = "test.books")
    static class Books {
        private final PaymentRepository payments;

        Books(PaymentRepository payments) {
            this.payments = payments;
        }

        @Post("/{how}/{status}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(value = "book", transactional = true)
        HttpResponse<String> book(@PathVariable String how, @PathVariable int status) {
            String id = UUID.randomUUID().toString();
            payments.save(new Payment(id, "o", new BigDecimal("1.00"), "EUR", "CHARGED"));
            if (how.equals("thrown")) {
                throw new HttpStatusException(HttpStatus.valueOf(status), "thrown");
            }
            return HttpResponse.<String>status(HttpStatus.valueOf(status)).body(id);
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
        try (EmbeddedServer server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "test.books",
                        true,
                        "micronaut.server.port",
                        -1,
                        "datasources.default.url",
                        "jdbc:h2:mem:books" + how + status),
                "test")) {
            PaymentRepository payments = server.getApplicationContext().getBean(PaymentRepository.class);
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.getURI() + "/books/" + how + "/" + status))
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            for (int i = 0; i < 2; i++) {
                java.net.http.HttpResponse<String> answer =
                        HttpClient.newHttpClient().send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(status);
                assertThat(answer.headers().firstValue("Idempotent-Replayed").isPresent())
                        .isEqualTo(replayed && i == 1);
                assertThat(payments.findAll()).hasSize(booked);
            }
        }
    }
}
