package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.Effects;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Inject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the demo shows, on any store. */
abstract class PaymentScenarios {

    private static final Pattern KEY = Pattern.compile("\"idempotencyKey\":\"([^\"]+)\"");

    @Inject
    EmbeddedServer server;

    private Shop shop;
    private String key;
    private String order;

    @BeforeEach
    void open() {
        shop = new Shop(server.getURI());
        key = UUID.randomUUID().toString();
        order = "order-" + key;
    }

    /** What the provider says that it did for the order, by the key that came with each charge. */
    private Effects charges() {
        Effects charges = new Effects("charge");
        KEY.matcher(shop.get("/provider/charges?orderId=" + order))
                .results()
                .forEach(charge -> charges.happen(charge.group(1)));
        return charges;
    }

    @Test
    void theSameRequestTwiceIsTwoEqualAnswersAndOneCharge() {
        HttpResponse<String> first = shop.pay(key, order, "12.50");
        HttpResponse<String> second = shop.pay(key, order, "12.50");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body())
                .contains("\"orderId\":\"" + order + "\"", "\"amount\":12.50", "\"status\":\"CHARGED\"");
        assertThat(first.headers().firstValue("Location")).isPresent();
        assertThat(Shop.replayed(first)).isFalse();

        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(Shop.replayed(second)).isTrue();

        assertThat(charges()).happenedOnce();
        assertThat(shop.get("/payments")).containsOnlyOnce(order);
    }

    @Test
    void anAmountWithMoreThanTwoDecimalsIsRefusedAndSpendsNoKey() {
        assertThat(shop.pay(key, order, "12.500").statusCode()).isEqualTo(400);
        assertThat(shop.pay(key, order, "12.505").statusCode()).isEqualTo(400);
        assertThat(shop.pay(key, order, "12.50").statusCode()).isEqualTo(201);
    }

    @Test
    void theSamePaymentWrittenWithOtherDecimalsIsTheSameRequest() {
        shop.pay(key, order, "12.50");
        assertThat(Shop.replayed(shop.pay(key, order, "12.5"))).isTrue();
    }

    @Test
    void theSameKeyWithAnotherAmountIsRefused() {
        shop.pay(key, order, "12.50");
        HttpResponse<String> other = shop.pay(key, order, "99");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("key-reused");
        assertThat(charges()).happenedOnce();
    }

    @Test
    void withoutAKeyNothingIsCharged() {
        HttpResponse<String> answer = shop.send(shop.post("/payments", Shop.charge(order, "1")));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("key-missing");
        assertThat(charges()).neverHappened();
    }

    @Test
    void malformedKeysAndRequestsAreRefusedAndSpendNoKey() {
        assertThat(shop.pay("a, b", order, "1").statusCode()).isEqualTo(400);
        assertThat(shop.pay("k".repeat(256), order, "1").statusCode()).isEqualTo(400);
        assertThat(shop.send(shop.post("/payments", "{\"orderId\":", "Idempotency-Key", key))
                        .statusCode())
                .isEqualTo(400);
        assertThat(shop.pay(key, order, "-5").statusCode()).isEqualTo(400);
        assertThat(shop.pay(key, order, "5").statusCode()).isEqualTo(201);
        assertThat(charges()).happenedOnce();
    }

    @Test
    void twoHundredIdenticalRequestsAtOnceMakeOneCharge() {
        HttpRequest request = shop.post("/payments", Shop.charge(order, "5"), "Idempotency-Key", key);
        List<CompletableFuture<HttpResponse<String>>> answers =
                IntStream.range(0, 200).mapToObj(i -> shop.sendAsync(request)).toList();
        long charged = answers.stream()
                .map(CompletableFuture::join)
                .peek(answer -> assertThat(answer.statusCode()).isIn(201, 409))
                .filter(answer -> answer.statusCode() == 201 && !Shop.replayed(answer))
                .count();
        assertThat(charged).isEqualTo(1);
        assertThat(charges()).happenedOnce();
    }

    @Test
    void aDuplicateOfASlowChargeIsToldToComeBack() {
        HttpRequest slow =
                shop.post("/payments", Shop.charge(order, "5"), "Idempotency-Key", key, "X-Simulate", "slow=3s");
        List<HttpResponse<String>> answers = List.of(shop.sendAsync(slow), shop.sendAsync(slow)).stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(answers).extracting(HttpResponse::statusCode).containsExactlyInAnyOrder(201, 409);
        HttpResponse<String> refused = answers.stream()
                .filter(it -> it.statusCode() == 409)
                .findFirst()
                .orElseThrow();
        assertThat(refused.body()).contains("in-progress");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(Shop.replayed(shop.pay(key, order, "5"))).isTrue();
        assertThat(charges()).happenedOnce();
    }

    @Test
    void aDeclinedCardHadNoEffectSoTheSameKeyMayTryAgain() {
        assertThat(shop.pay(key, order, "5", "X-Simulate", "decline").statusCode())
                .isEqualTo(402);
        assertThat(charges()).neverHappened();
        assertThat(shop.pay(key, order, "5").statusCode()).isEqualTo(201);
        assertThat(charges()).happenedOnce();
    }

    @Test
    void anOperatorSettlesWhatNobodyKnowsTheOutcomeOf() {
        shop.pay(key, order, "5", "X-Simulate", "lost");
        String found = shop.send(shop.post(
                        "/idempotency/find",
                        "{\"operation\":\"charge-payment\",\"key\":\"" + key + "\",\"caller\":null}"))
                .body();
        assertThat(found).contains("\"state\":\"in-doubt\"");
        assertThat(shop.get("/idempotency?state=in-doubt&operation=charge-payment&olderThan=0s&limit=1000"))
                .contains(Shop.field(found, "id"));
        HttpResponse<String> settled = shop.send(shop.post(
                "/idempotency/" + Shop.field(found, "id"),
                "{\"fence\":" + Shop.field(found, "fence")
                        + ",\"outcome\":\"completed\",\"result\":{\"status\":201,\"body\":"
                        + "{\"id\":\"c-1\",\"orderId\":\"" + order
                        + "\",\"amount\":5,\"currency\":\"EUR\",\"status\":\"CHARGED\"}},"
                        + "\"actor\":\"operator-1\",\"reason\":\"found at the provider\"}"));
        assertThat(settled.statusCode()).as(settled.body()).isEqualTo(200);
        assertThat(settled.body()).contains("\"actor\":\"operator-1\"", "\"state\":\"completed\"");
        HttpResponse<String> replay = shop.pay(key, order, "5");
        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.body()).contains("\"id\":\"c-1\"");
        assertThat(Shop.replayed(replay)).isTrue();
        assertThat(charges()).happenedOnce();
    }

    @Test
    void aLostAnswerLeavesTheOutcomeUnknownAndIsNeverChargedAgain() {
        assertThat(shop.pay(key, order, "5", "X-Simulate", "lost").statusCode()).isEqualTo(504);
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> again = shop.pay(key, order, "5");
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(again.body()).contains("outcome-unknown", "\"executed\":\"unknown\"");
            assertThat(again.headers().firstValue("Retry-After")).isEmpty();
        }
        assertThat(charges()).happenedOnce();
    }

    @Test
    void anEventIsHandledOnceHoweverOftenItIsDelivered() {
        String event = "{\"id\":\"" + key + "\",\"type\":\"payment.settled\",\"data\":{\"a\":1,\"b\":[true,null]}}";
        String reordered = "{\"id\":\"" + key + "\",\"type\":\"payment.settled\",\"data\":{\"b\":[true,null],\"a\":1}}";
        HttpResponse<String> first = shop.send(shop.post("/events", event));
        HttpResponse<String> second = shop.send(shop.post("/events", reordered));
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Shop.replayed(second)).isTrue();
        assertThat(shop.get("/events")).containsOnlyOnce(key);

        HttpResponse<String> other = shop.send(shop.post("/events", event.replace("true", "false")));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(shop.send(shop.post("/events", "{\"type\":\"no.id\"}")).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aRefundIsMadeOnce() {
        String payment = shop.pay(key, order, "12.50").body().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
        HttpRequest refund =
                shop.post("/payments/" + payment + "/refunds", "{\"amount\":5}", "Idempotency-Key", key + "-refund");
        HttpResponse<String> first = shop.send(refund);
        HttpResponse<String> second = shop.send(refund);
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Shop.replayed(second)).isTrue();
        assertThat(Shop.count(shop.get("/provider/refunds?chargeId=" + payment)))
                .isEqualTo(1);
    }

    @Test
    void aRefundWhoseAnswerWasLostIsFoundAtTheProviderAndNotMadeAgain() {
        String payment = shop.pay(key, order, "12.50").body().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
        String path = "/payments/" + payment + "/refunds";
        HttpResponse<String> lost =
                shop.send(shop.post(path, "{\"amount\":5}", "Idempotency-Key", key + "-refund", "X-Simulate", "lost"));
        assertThat(lost.statusCode()).isEqualTo(504);

        HttpResponse<String> found = shop.send(shop.post(path, "{\"amount\":5}", "Idempotency-Key", key + "-refund"));
        assertThat(found.statusCode()).isEqualTo(201);
        assertThat(Shop.replayed(found)).isTrue();
        assertThat(Shop.count(shop.get("/provider/refunds?chargeId=" + payment)))
                .isEqualTo(1);
    }

    @Test
    void anErrorThatIsTheOutcomeIsAnsweredAgain() {
        HttpRequest refund = shop.post("/payments/none/refunds", "{\"amount\":5}", "Idempotency-Key", key);
        HttpResponse<String> first = shop.send(refund);
        HttpResponse<String> second = shop.send(refund);
        assertThat(first.statusCode()).isEqualTo(404);
        assertThat(second.statusCode()).isEqualTo(404);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Shop.replayed(first)).isFalse();
        assertThat(Shop.replayed(second)).isTrue();
    }

    @Test
    void aRouteWithoutAnnotationIsProtectedByConfiguration() {
        String callback = "{\"phone\":\"" + key + "\"}";
        assertThat(shop.send(shop.post("/callbacks", callback)).body()).contains("key-missing");
        HttpRequest request = shop.post("/callbacks", callback, "Idempotency-Key", key);
        HttpResponse<String> first = shop.send(request);
        HttpResponse<String> second = shop.send(request);
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Shop.replayed(second)).isTrue();
    }

    @Test
    void aKeyOfAnotherCustomerIsForbiddenOrAnotherKeyAsConfigured() {
        String callback = "{\"phone\":\"" + key + "\"}";
        assertThat(shop.send(shop.post("/callbacks", callback, "Idempotency-Key", key, "X-Customer", "ann"))
                        .statusCode())
                .isEqualTo(201);
        HttpResponse<String> foreign =
                shop.send(shop.post("/callbacks", callback, "Idempotency-Key", key, "X-Customer", "bob"));
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.body()).contains("key-foreign");

        assertThat(shop.pay(key, order, "5", "X-Customer", "ann").statusCode()).isEqualTo(201);
        assertThat(Shop.replayed(shop.pay(key, order, "5", "X-Customer", "bob")))
                .isFalse();
        assertThat(charges()).happened(2).neverHappenedTwice();
    }

    @Test
    void anEventIsHandledOnceWhicheverCustomerDeliversIt() {
        String event = "{\"id\":\"" + key + "\",\"type\":\"payment.settled\"}";
        HttpResponse<String> anns = shop.send(shop.post("/events", event, "X-Customer", "ann"));
        HttpResponse<String> bobs = shop.send(shop.post("/events", event, "X-Customer", "bob"));
        assertThat(bobs.body()).isEqualTo(anns.body());
        assertThat(Shop.replayed(bobs)).isTrue();
    }

    @Test
    void aRefusalLeadsToItsDescription() {
        HttpResponse<String> refused = shop.send(shop.post("/payments", Shop.charge(order, "1")));
        String link = refused.headers().firstValue("Link").orElseThrow();
        assertThat(link).isEqualTo("</problems/idempotency/key-missing>; rel=\"describedby\"");
        assertThat(shop.get("/problems/idempotency/key-missing")).contains("key-missing");
    }

    @Test
    void theServicesDescriptionSpeaksOfTheKey() {
        assertThat(shop.get("/swagger/payments-1.yml"))
                .contains("/payments:", "name: Idempotency-Key", "key-reused", "in-progress");
    }

    @Test
    void thePageIsThere() {
        assertThat(shop.get("/")).contains("<title>Pay once, however often you click</title>", "app.js", "style.css");
        assertThat(shop.get("/app.js")).contains("Idempotency-Key");
        assertThat(shop.get("/style.css")).contains("prefers-color-scheme");
    }
}
