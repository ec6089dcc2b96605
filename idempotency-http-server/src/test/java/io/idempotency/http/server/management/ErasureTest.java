package io.idempotency.http.server.management;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a record holds of a person goes on request; that its body ran stays, so a retry is refused and does not run. */
@MicronautTest
@Property(name = "test.paid", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "micronaut.security.enabled", value = "false")
@Property(name = "endpoints.idempotency.sensitive", value = "false")
class ErasureTest {

    private static final String ERASE = "{\"actor\":\"anna\",\"reason\":\"asked by the customer\"}";

    @Inject
    @Client("/")
    HttpClient http;

    @Inject
    PaidController paid;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        paid.lost = false;
        paid.bodies.set(0);
        paid.goOn = new CountDownLatch(0);
    }

    private HttpResponse<byte[]> send(String path, String body) {
        return new Wire(http).send(post(path, body).header("Idempotency-Key", key));
    }

    private HttpResponse<byte[]> pay(String path) {
        return send("/paid/" + path, "{\"id\":\"secret-7\",\"amount\":12.50}");
    }

    private String find(String operation) {
        return text(send("/idempotency/find", "{\"operation\":\"" + operation + "\",\"key\":\"" + key + "\"}"));
    }

    private String id(String operation) {
        return find(operation).replaceFirst("(?s).*\"id\":\"([0-9a-f]{64})\".*", "$1");
    }

    @ParameterizedTest
    @CsvSource({"pojo,pay-pojo", "response,pay-response"})
    void anErasedResultIsNotReplayedAndItsBodyDoesNotRunAgain(String path, String operation) {
        assertThat(pay(path).code()).isLessThan(300);
        assertThat(text(pay(path))).contains("secret-7");
        HttpResponse<byte[]> erased = send("/idempotency/" + id(operation) + "/erase", ERASE);
        assertThat(erased.code()).as(text(erased)).isEqualTo(200);
        assertThat(text(erased)).contains("\"state\":\"completed\"", "erased", "anna", "asked by the customer");
        HttpResponse<byte[]> retry = pay(path);
        assertThat(retry.code()).isEqualTo(409);
        assertThat(text(retry)).contains("result-unavailable").doesNotContain("secret-7", "anna");
        assertThat(paid.bodies).hasValue(1);
    }

    @Test
    void anErasedFailureIsStillAFailure() {
        paid.lost = true;
        pay("pojo");
        String record = find("pay-pojo");
        String fence = record.replaceFirst("(?s).*\"fence\":(\\d+).*", "$1");
        String path = "/idempotency/" + id("pay-pojo");
        assertThat(send(path, "{\"fence\":" + fence + ",\"outcome\":\"failed\"," + ERASE.substring(1))
                        .code())
                .isEqualTo(200);
        assertThat(send(path + "/erase", ERASE).code()).isEqualTo(200);
        assertThat(text(pay("pojo"))).contains("previous-attempt-failed");
        assertThat(paid.bodies).hasValue(1);
        assertThat(find("pay-pojo")).contains("\"outcome\":\"failed\"", "\"outcome\":\"erased\"");
    }

    /** The record does not say any more that it was one, so the reloader of results is not asked. */
    @Test
    void anErasedFailureWithItsAnswerIsNoSuccess() {
        assertThat(pay("mapped").code()).isEqualTo(422);
        assertThat(text(pay("mapped"))).contains("declined, secret-7");
        assertThat(send("/idempotency/" + id("pay-mapped") + "/erase", ERASE).code())
                .isEqualTo(200);
        HttpResponse<byte[]> retry = pay("mapped");
        assertThat(retry.code()).isEqualTo(409);
        assertThat(text(retry)).contains("result-unavailable").doesNotContain("secret-7", "succeeded");
        assertThat(paid.bodies).hasValue(1);
    }

    @Test
    void whatIsErasedInDoubtStaysInDoubtAndCanBeSettled() {
        paid.lost = true;
        pay("pojo");
        String path = "/idempotency/" + id("pay-pojo");
        assertThat(find("pay-pojo")).contains("TimeoutException");
        assertThat(send(path + "/erase", ERASE).code()).isEqualTo(200);
        assertThat(find("pay-pojo")).contains("in-doubt").doesNotContain("TimeoutException");
        assertThat(text(pay("pojo"))).contains("outcome-unknown");
        assertThat(paid.bodies).hasValue(1);
    }

    @Test
    void aCallThatStillRunsKeepsItsRecord() {
        paid.goOn = new CountDownLatch(1);
        CompletableFuture<HttpResponse<byte[]>> running = CompletableFuture.supplyAsync(() -> pay("pojo"));
        await().until(() -> paid.bodies.get() == 1);
        HttpResponse<byte[]> refused = send("/idempotency/" + id("pay-pojo") + "/erase", ERASE);
        assertThat(refused.code()).isEqualTo(409);
        paid.goOn.countDown();
        assertThat(running.join().code()).isEqualTo(200);
        assertThat(text(pay("pojo"))).contains("secret-7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "erase | {\"actor\":\"anna\"} | 400",
                "erase | {\"reason\":\"r\"} | 400",
                "erase | [] | 400",
                "delete | {\"actor\":\"anna\",\"reason\":\"r\"} | 404",
            })
    void whatIsNoErasureChangesNothing(String action, String body, int status) {
        pay("pojo");
        assertThat(send("/idempotency/" + id("pay-pojo") + "/" + action, body).code())
                .isEqualTo(status);
        assertThat(text(pay("pojo"))).contains("secret-7");
    }

    @Test
    void anAbsentRecordHasNothingToEraseAndAnErasureSettlesNothing() {
        assertThat(send("/idempotency/" + "0".repeat(64) + "/erase", ERASE).code())
                .isEqualTo(409);
        paid.lost = true;
        pay("pojo");
        String fence = find("pay-pojo").replaceFirst("(?s).*\"fence\":(\\d+).*", "$1");
        assertThat(send(
                                "/idempotency/" + id("pay-pojo"),
                                "{\"fence\":" + fence + ",\"outcome\":\"erased\"," + ERASE.substring(1))
                        .code())
                .isEqualTo(400);
        assertThat(find("pay-pojo")).contains("in-doubt");
    }
}
