package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator settles what nobody knows the outcome of, over HTTP. */
@Tag("any-jdk")
@MicronautTest
@Property(name = "test.paid", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "micronaut.security.enabled", value = "false")
@Property(name = "idempotency.operations.pay-pojo.key-format", value = "uuid")
@Property(name = "endpoints.idempotency.sensitive", value = "false")
class IdempotencyEndpointTest {

    private static final String PAID = "{\"id\":\"p-1\",\"amount\":12.50}";

    @Inject
    @Client("/")
    HttpClient http;

    @Inject
    IdempotencyStore store;

    @Inject
    PaidController paid;

    @Inject
    Events events;

    @Inject
    JsonMapper json;

    private final String key = UUID.randomUUID().toString();

    /** What was published. */
    @Singleton
    @Requires(property = "test.paid")
    static class Events {
        final List<IdempotencyEvent.Resolved> resolved = new CopyOnWriteArrayList<>();

        @EventListener
        void on(IdempotencyEvent.Resolved event) {
            resolved.add(event);
            throw new IllegalStateException("what a listener throws undoes no decision");
        }
    }

    /** An answer. */
    record Answer(int status, String raw, JsonNode body) {
        String text(String name) {
            assertThat(body.get(name)).as(toString()).isNotNull();
            return body.get(name).coerceStringValue();
        }
    }

    @BeforeEach
    void reset() {
        paid.lost = true;
        paid.bodies.set(0);
        paid.goOn = new CountDownLatch(0);
    }

    private Answer send(MutableHttpRequest<?> request) {
        HttpResponse<byte[]> response = new Wire(http).send(request.accept(MediaType.ALL_TYPE));
        try {
            return new Answer(
                    response.code(), Wire.text(response), json.readValue(Wire.text(response), JsonNode.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer pay(String path) {
        return send(HttpRequest.POST("/paid" + path, PAID).header("Idempotency-Key", key));
    }

    private Answer find(String operation, String asked) {
        return send(HttpRequest.POST("/idempotency/find", Map.of("operation", operation, "key", asked)));
    }

    private Answer settle(Answer record, String decision) {
        return settle(record.text("id"), record.text("fence"), decision);
    }

    private Answer settle(String id, String fence, String decision) {
        return send(HttpRequest.POST(
                "/idempotency/" + id,
                "{\"fence\":" + fence + "," + decision + ",\"actor\":\"anna\",\"reason\":\"asked the bank\"}"));
    }

    private Answer inDoubt(String path, String operation) {
        pay(path);
        assertThat(pay(path).raw()).contains("outcome-unknown");
        return find(operation, key);
    }

    @Test
    void whatIsInDoubtIsListedFoundByItsKeyAndShown() {
        Answer found = inDoubt("/pojo", "pay-pojo");
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.text("operation")).isEqualTo("pay-pojo");
        assertThat(found.text("state")).isEqualTo("in-doubt");
        assertThat(found.text("attempt")).isEqualTo("1");
        assertThat(found.text("reason")).contains("the body ended");
        assertThat(found.body().get("audit").size()).isZero();
        assertThat(find("pay-pojo", '"' + key.toUpperCase(Locale.ROOT) + '"').text("id"))
                .isEqualTo(found.text("id"));
        assertThat(send(HttpRequest.GET("/idempotency/" + found.text("id"))).text("fence"))
                .isEqualTo(found.text("fence"));
        assertThat(listed("?operation=pay-pojo&limit=1000")).contains(found.text("id"));
        assertThat(listed("?operation=pay-pojo&olderThan=1h")).isEmpty();
        assertThat(listed("?state=in-progress&operation=pay-pojo")).isEmpty();
    }

    @Test
    void theDigitsThatLogsAndCallersShowFindWhatIsOpen() {
        Answer found = inDoubt("/pojo", "pay-pojo");
        String id = found.text("id");
        assertThat(send(HttpRequest.GET("/idempotency/" + id.substring(0, 8))).raw())
                .isEqualTo(send(HttpRequest.GET("/idempotency/" + id)).raw());
        assertThat(settle(id.substring(0, 8), found.text("fence"), "\"outcome\":\"absent\"")
                        .status())
                .isEqualTo(400);
        assertThat(settle(found, "\"outcome\":\"failed\"").status()).isEqualTo(200);
        assertThat(send(HttpRequest.GET("/idempotency/" + id.substring(0, 8))).status())
                .isEqualTo(404);
        assertThat(send(HttpRequest.GET("/idempotency/" + id.substring(0, 7))).status())
                .isEqualTo(400);
    }

    private List<String> listed(String query) {
        return ids(send(HttpRequest.GET("/idempotency" + query)));
    }

    private static List<String> ids(Answer page) {
        List<String> ids = new ArrayList<>();
        page.body()
                .get("records")
                .values()
                .forEach(record -> ids.add(record.get("id").getStringValue()));
        return ids;
    }

    @Test
    void pagesFollowOneAnother() {
        for (int i = 0; i < 5; i++) {
            send(HttpRequest.POST("/paid/pojo", PAID)
                    .header("Idempotency-Key", UUID.randomUUID().toString()));
        }
        List<String> all = listed("?operation=pay-pojo&limit=1000");
        List<String> paged = new ArrayList<>();
        String next = "";
        do {
            Answer page = send(HttpRequest.GET("/idempotency?operation=pay-pojo&limit=2&next=" + next));
            paged.addAll(ids(page));
            next = page.body().get("next") == null || page.body().get("next").isNull() ? null : page.text("next");
        } while (next != null);
        assertThat(all).hasSizeGreaterThanOrEqualTo(5);
        assertThat(paged).containsExactlyElementsOf(all);
    }

    @Test
    void aBusinessKeyOfAnotherTypeIsFound() {
        String id = UUID.randomUUID().toString();
        send(HttpRequest.POST("/paid/order", "{\"id\":\"" + id + "\",\"amount\":1}"));
        assertThat(find("order-paid", id.toUpperCase(Locale.ROOT)).text("operation"))
                .isEqualTo("order-paid");
    }

    @Test
    void whatNobodyKnowsIsNotFound() {
        assertThat(find("pay-pojo", UUID.randomUUID().toString()).status()).isEqualTo(404);
        assertThat(send(HttpRequest.GET("/idempotency/" + "0".repeat(64))).status())
                .isEqualTo(404);
        assertThat(find("no-such-operation", "k").status()).isEqualTo(400);
        assertThat(send(HttpRequest.GET("/idempotency/abc")).status()).isEqualTo(400);
        assertThat(send(HttpRequest.GET("/idempotency?state=odd")).status()).isEqualTo(400);
        assertThat(send(HttpRequest.GET("/idempotency?olderThan=odd")).status()).isEqualTo(400);
        assertThat(send(HttpRequest.GET("/idempotency?next=odd")).status()).isEqualTo(400);
    }

    @Test
    void aResultIsReplayedFromThenOnAndTheDecisionIsOnRecord() {
        Answer record = inDoubt("/pojo", "pay-pojo");
        Answer settled = settle(record, "\"outcome\":\"completed\",\"result\":{\"id\":\"p-9\",\"amount\":12.50}");
        assertThat(settled.status()).isEqualTo(200);
        assertThat(settled.text("state")).isEqualTo("completed");
        JsonNode audit = settled.body().get("audit").get(0);
        assertThat(audit.get("actor").getStringValue()).isEqualTo("anna");
        assertThat(audit.get("reason").getStringValue()).isEqualTo("asked the bank");
        assertThat(audit.get("outcome").getStringValue()).isEqualTo("completed");
        Answer replay = pay("/pojo");
        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.text("id")).isEqualTo("p-9");
        assertThat(paid.bodies).hasValue(1);
        assertThat(events.resolved).anyMatch(event -> event.id().value().equals(record.text("id")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pojo, pay-pojo", "/bound, pay-bound"})
    void aKeyIsFoundAsTheClientSentIt(String route) {
        String[] parts = route.split(", ");
        String quoted = '"' + key + '"';
        send(HttpRequest.POST("/paid" + parts[0], PAID).header("Idempotency-Key", quoted));
        assertThat(find(parts[1], quoted).status()).isEqualTo(200);
        assertThat(find(parts[1], key).status()).isEqualTo(200);
    }

    @Test
    void aResponseIsReplayedWithTheStatusThatTheOperatorKnows() {
        Answer bare = inDoubt("/response", "pay-response");
        settle(bare, "\"outcome\":\"completed\",\"result\":" + PAID);
        assertThat(pay("/response").status()).isEqualTo(200);
        assertThat(pay("/response").text("id")).isEqualTo("p-1");
    }

    @Test
    void aWholeResponseIsReplayed() {
        Answer record = inDoubt("/response", "pay-response");
        settle(
                record,
                "\"outcome\":\"completed\",\"result\":{\"status\":201,\"headers\":{\"Location\":[\"/paid/p-1\"]},"
                        + "\"body\":" + PAID + "}");
        assertThat(pay("/response").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"outcome\":\"completed\",\"result\":{\"id\":\"p-1\",\"amount\":12.5,\"extra\":1}",
                "\"outcome\":\"completed\",\"result\":{\"id\":\"p-1\"}",
                "\"outcome\":\"completed\",\"result\":{\"id\":\"p-1\",\"amount\":\"much\"}",
                "\"outcome\":\"completed\",\"result\":[1]",
                "\"outcome\":\"completed\",\"result\":{\"status\":20,\"body\":{\"id\":\"p-1\",\"amount\":12.5}}",
                "\"outcome\":\"completed\",\"result\":{\"status\":2001,\"body\":{\"id\":\"p-1\",\"amount\":12.5}}",
                "\"outcome\":\"failed\",\"result\":{\"id\":\"p-1\",\"amount\":12.5}",
                "\"outcome\":\"maybe\"",
                "\"outcome\":\"absent\",\"actor\":\"\"",
            })
    void whatDoesNotFitIsRefusedAndChangesNothing(String decision) {
        for (String path : List.of("/pojo", "/response")) {
            Answer record = inDoubt(path, "pay" + path.replace('/', '-'));
            String body = "{\"fence\":" + record.text("fence") + ",\"reason\":\"r\","
                    + (decision.contains("actor") ? "" : "\"actor\":\"anna\",") + decision + "}";
            Answer refused = send(HttpRequest.POST("/idempotency/" + record.text("id"), body));
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            Answer after = find("pay" + path.replace('/', '-'), key);
            assertThat(after.text("state")).isEqualTo("in-doubt");
            assertThat(after.body().get("audit").size()).isZero();
        }
    }

    @Test
    void aResultIsHeldToTheLimitOfResultsAndIsNotEchoed() {
        Answer record = inDoubt("/pojo", "pay-pojo");
        String large = "p".repeat(2_000_000);
        Answer tooLarge =
                settle(record, "\"outcome\":\"completed\",\"result\":{\"id\":\"" + large + "\",\"amount\":1}");
        assertThat(tooLarge.status()).isEqualTo(400);
        assertThat(tooLarge.text("detail")).contains("max-result-size").hasSizeLessThan(300);
        Answer unfit = settle(record, "\"outcome\":\"completed\",\"result\":[\"" + large + "\"]");
        assertThat(unfit.status()).isEqualTo(400);
        assertThat(unfit.text("detail")).contains("pay-pojo").hasSizeLessThan(300);
        for (String amount : List.of("1e1000000000", "-1e-1000000000", "\"1e1000000000\"")) {
            assertThat(settle(record, "\"outcome\":\"completed\",\"result\":{\"id\":\"p\",\"amount\":" + amount + "}")
                            .status())
                    .as(amount)
                    .isLessThan(500);
        }
    }

    @Test
    void aDecisionNeedsAReason() {
        Answer record = inDoubt("/pojo", "pay-pojo");
        Answer refused = send(HttpRequest.POST(
                "/idempotency/" + record.text("id"),
                "{\"fence\":" + record.text("fence") + ",\"outcome\":\"absent\",\"actor\":\"anna\"}"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("detail")).contains("reason");
    }

    @Test
    void whatIsAbsentRunsAgainAndItsTrailIsKept() {
        Answer record = inDoubt("/pojo", "pay-pojo");
        Answer settled = settle(record, "\"outcome\":\"absent\"");
        assertThat(settled.status()).isEqualTo(200);
        assertThat(settled.text("state")).isEqualTo("absent");
        paid.lost = false;
        assertThat(pay("/pojo").status()).isEqualTo(200);
        assertThat(paid.bodies).hasValue(2);
        Answer again = find("pay-pojo", key);
        assertThat(again.text("state")).isEqualTo("completed");
        assertThat(again.body().get("audit").size()).isEqualTo(1);
    }

    @Test
    void whatFailedIsNotRunAgain() {
        settle(inDoubt("/pojo", "pay-pojo"), "\"outcome\":\"failed\"");
        Answer duplicate = pay("/pojo");
        assertThat(duplicate.raw()).contains("previous-attempt-failed");
        assertThat(duplicate.raw()).doesNotContain("anna", "asked the bank");
        assertThat(paid.bodies).hasValue(1);
    }

    @Test
    void anotherFenceOrAnotherStateIsAConflict() {
        Answer record = inDoubt("/pojo", "pay-pojo");
        String id = record.text("id");
        assertThat(settle(id, "1", "\"outcome\":\"absent\"").status()).isEqualTo(409);
        assertThat(settle(record, "\"outcome\":\"failed\"").status()).isEqualTo(200);
        assertThat(settle(record, "\"outcome\":\"absent\"").status()).isEqualTo(409);
        assertThat(settle("0".repeat(64), "1", "\"outcome\":\"absent\"").status())
                .isEqualTo(409);
    }

    @Test
    void aLateOwnerDoesNotOverwriteTheDecisionAndItsCallerLearnsIt() {
        paid.lost = false;
        paid.goOn = new CountDownLatch(1);
        CompletableFuture<Answer> late = CompletableFuture.supplyAsync(() -> pay("/pojo"));
        await().until(() -> paid.bodies.get() == 1);
        StoredRecord running = store.list(RecordState.IN_PROGRESS, Duration.ZERO, 100).stream()
                .filter(record ->
                        record.id().value().equals(find("pay-pojo", key).text("id")))
                .findFirst()
                .orElseThrow();
        store.doubt(
                new Ownership(running.id(), running.owner(), running.fence()),
                "the node is cut off",
                Duration.ofDays(1));
        Answer settled =
                settle(find("pay-pojo", key), "\"outcome\":\"completed\",\"result\":{\"id\":\"p-9\",\"amount\":1}");
        assertThat(settled.status()).isEqualTo(200);
        paid.goOn.countDown();
        assertThat(late.join().text("id")).isEqualTo("p-9");
        assertThat(pay("/pojo").text("id")).isEqualTo("p-9");
        assertThat(paid.bodies).hasValue(1);
    }

    @Test
    void oneOfManyOperatorsDecides() {
        for (int round = 0; round < 5; round++) {
            String other = UUID.randomUUID().toString();
            send(HttpRequest.POST("/paid/pojo", PAID).header("Idempotency-Key", other));
            Answer record = find("pay-pojo", other);
            List<CompletableFuture<Answer>> all = IntStream.range(0, 6)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> settle(record, "\"outcome\":\"" + (i % 2 == 0 ? "failed" : "absent") + "\"")))
                    .toList();
            List<Integer> statuses =
                    all.stream().map(one -> one.join().status()).sorted().toList();
            assertThat(statuses).containsExactly(200, 409, 409, 409, 409, 409);
            assertThat(send(HttpRequest.GET("/idempotency/" + record.text("id")))
                            .body()
                            .get("audit")
                            .size())
                    .isEqualTo(1);
        }
    }
}
