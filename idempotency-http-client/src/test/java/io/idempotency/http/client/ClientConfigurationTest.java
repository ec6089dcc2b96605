package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.PropertySource;
import io.micronaut.core.util.StringUtils;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.retry.annotation.Retryable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code idempotency.http.client.*} changes. */
@Tag("thorough")
class ClientConfigurationTest {

    private static final String PREFIX = "idempotency.http.client.";

    private final ScriptedServer server = new ScriptedServer();

    @BeforeEach
    void answerWell() {
        server.answer(created());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void with(Map<String, Object> configured, Consumer<ApplicationContext> calls) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "test.psp",
                true,
                "test.timer",
                true,
                "micronaut.http.services.psp.url",
                server.url(),
                "micronaut.http.services.other.url",
                server.url()));
        configured.forEach(
                (name, value) -> properties.put(name.startsWith("/") ? name.substring(1) : PREFIX + name, value));
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            calls.accept(context);
        }
    }

    private static PspClient psp(ApplicationContext context) {
        return context.getBean(PspClient.class);
    }

    @Test
    void retriesComeFromTheServiceThenTheAnnotationThenAllClients() {
        server.answer(plain(503));
        with(Map.of("retries", 1, "delay", "80ms", "jitter", 0), context -> {
            assertThatThrownBy(() -> psp(context).once(PspApplication.ORDER)).isNotNull();
            assertThat(server.seen()).hasSize(2);
            assertThatThrownBy(() -> psp(context).charge(PspApplication.ORDER)).isNotNull();
            assertThat(server.seen()).hasSize(2 + 4);
            assertThat(context.getBean(RecordingTimer.class).delays)
                    .extracting(Duration::toMillis)
                    .containsExactly(80L, 80L, 160L, 320L);
        });
        server.answer(plain(503));
        with(Map.of("services.psp.retries", 2), context -> {
            assertThatThrownBy(() -> psp(context).once(PspApplication.ORDER)).isNotNull();
            assertThatThrownBy(() -> psp(context).charge(PspApplication.ORDER)).isNotNull();
            assertThat(server.seen()).hasSize(3 + 3);
        });
    }

    interface ChargesApi {
        @Post("/charges")
        String charge(@Body String order);
    }

    @Client("psp")
    @SendsIdempotencyKey
    @Requires(property = "test.psp")
    interface Patient extends ChargesApi {}

    @Client("other")
    @SendsIdempotencyKey
    @Requires(property = "test.psp")
    interface Hasty extends ChargesApi {}

    @Test
    void clientsThatInheritAMethodRetryAsTheirOwnServiceSays() {
        server.answer(plain(503));
        with(Map.of("services.psp.retries", 3), context -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> context.getBean(Patient.class).charge("a"))
                        .isNotNull();
                assertThatThrownBy(() -> context.getBean(Hasty.class).charge("a"))
                        .isNotNull();
                assertThat(server.seen()).hasSize((i + 1) * (4 + 1));
            }
        });
    }

    @Test
    void aServiceMayWantTheKeyInAnotherHeaderOrInQuotes() {
        with(Map.of("services.psp.header", "X-Request-Id", "services.psp.quoted", true), context -> {
            psp(context).keyed(PspApplication.ORDER, "k-1");
            psp(context).keyedByHeader(PspApplication.ORDER, "own");
        });
        assertThat(server.seen().get(0).headers()).containsEntry("X-request-id", List.of("\"k-1\""));
        assertThat(server.keys()).containsExactly("", "own");
    }

    @Test
    void whichMethodsOfAMarkedTypeCarryAKeyCanBeChosen() {
        with(Map.of("methods", List.of("PUT")), context -> {
            psp(context).put(PspApplication.ORDER);
            psp(context).patch(PspApplication.ORDER);
        });
        assertThat(server.seen()).extracting(seen -> seen.keys().size()).containsExactly(1, 0);
    }

    /** Nothing is annotated but the attempts. */
    @Client("psp")
    @Requires(property = "test.psp")
    interface Unmarked {
        @Post("/charges")
        @Retryable(attempts = "2", delay = "1ms")
        String charge(@Body String order);

        @Post("/random-key/charges")
        @Retryable(attempts = "2", delay = "1ms")
        String chargeTraced(@Body String order);
    }

    @Test
    void aFilterMaySetTheHeaderForEachAttempt() {
        server.answer(plain(503), plain(503), created());
        with(Map.of("services.psp.send-key", true, "/test.psp", true), context -> {
            context.getBean(Unmarked.class).chargeTraced("a");
            assertThat(server.keys()).hasSize(3).doesNotHaveDuplicates();
        });
    }

    @Test
    void everyAttemptOfAMethodThatIsNotMarkedCarriesTheSameKey() {
        server.answer(plain(503), plain(503), created());
        with(Map.of("services.psp.send-key", true), context -> {
            context.getBean(Unmarked.class).charge("a");
            assertThat(server.keys()).hasSize(3).doesNotContain("");
            assertThat(server.keys().stream().distinct()).hasSize(1);
            context.getBean(Unmarked.class).charge("a");
            assertThat(server.keys().stream().distinct()).hasSize(2);
        });
    }

    @Test
    void insideAnOperationABodyOfEqualBytesIsTheSameRequest() {
        Map<String, Object> configured = Map.of(
                "services.psp.send-key", true,
                "/idempotency.store", "memory",
                "/idempotency.operations.sends.programmatic", true);
        with(configured, context -> {
            LowLevel clients = context.getBean(LowLevel.class);
            context.getBean(IdempotencyExecutor.class).execute("sends", "k", null, String.class, () -> {
                for (int i = 0; i < 2; i++) {
                    clients.psp.toBlocking().retrieve(HttpRequest.POST("/charges", new byte[] {1, 2}));
                }
                return "";
            });
        });
        assertThat(server.keys()).hasSize(2).doesNotContain("");
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    @Test
    void everyRequestOfAServiceCarriesAKeyWhenItSaysSo() {
        with(Map.of("services.psp.send-key", true), context -> {
            LowLevel clients = context.getBean(LowLevel.class);
            LowLevel.send(clients.psp, "/charges");
            LowLevel.send(clients.psp, "/charges");
            LowLevel.send(clients.other, "/charges");
            clients.psp.toBlocking().retrieve(HttpRequest.GET("/charges"));
        });
        assertThat(server.keys()).hasSize(4);
        assertThat(server.keys().subList(0, 2)).doesNotContain("").doesNotHaveDuplicates();
        assertThat(server.keys().subList(2, 4)).containsOnly("");
    }

    @Test
    void insideAnOperationThatKeyIsDerivedAndNeverSharedByTwoBodiesOrQueries() {
        with(Map.of("services.psp.send-key", true), context -> {
            LowLevel clients = context.getBean(LowLevel.class);
            Shop shop = context.getBean(Shop.class);
            Consumer<PspClient> send = ignored -> LowLevel.send(clients.psp, "/charges");
            shop.buy("k", List.of(send, send));
            Consumer<PspClient> other = ignored -> clients.psp
                    .toBlocking()
                    .retrieve(HttpRequest.POST("/charges", new PspClient.Charge("another body")));
            assertThatThrownBy(() -> shop.buy("k-2", List.of(send, other)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("POST psp/charges");
            Consumer<PspClient> query = ignored -> LowLevel.send(clients.psp, "/charges?order=2");
            assertThatThrownBy(() -> shop.buy("k-3", List.of(send, query))).isInstanceOf(IllegalStateException.class);
        });
        assertThat(server.keys()).hasSize(4);
        assertThat(server.keys().stream().distinct()).hasSize(3);
    }

    @Test
    void aClientThatReturnsErrorsIsRetriedAsWellAndGetsTheLastOneBack() {
        with(Map.of("/micronaut.http.services.psp.exception-on-error-status", false), context -> {
            server.answer(plain(503), plain(503), created());
            assertThat(psp(context).lenient(PspApplication.ORDER).code()).isEqualTo(201);
            assertThat(server.keys()).hasSize(3);
            server.answer(plain(503), plain(503), created());
            assertThat(context.getBean(LowLevel.class).lenient().block().code()).isEqualTo(201);
            assertThat(server.keys()).hasSize(3);
            server.answer(plain(503));
            assertThat(psp(context).lenient(PspApplication.ORDER).code()).isEqualTo(503);
            assertThat(context.getBean(LowLevel.class).lenient().block().code()).isEqualTo(503);
            assertThat(server.keys()).hasSize(8);
        });
    }

    @Test
    void theRealTimerWaits() {
        server.answer(plain(503), plain(503), created());
        with(Map.of("/test.timer", StringUtils.FALSE, "services.psp.delay", "5ms"), context -> {
            assertThat(psp(context).charge(PspApplication.ORDER).id()).isEqualTo("ch-1");
            server.answer(plain(503), plain(503), created());
            assertThat(psp(context).chargeMono(PspApplication.ORDER).block().id())
                    .isEqualTo("ch-1");
        });
        assertThat(server.keys()).hasSize(3);
    }

    private static ApplicationContext withMaxDelay(String variable) {
        PropertySource environment = PropertySource.of(
                "env",
                Map.of("IDEMPOTENCY_HTTP_CLIENT_SERVICES_PSP_MAX_DELAY", variable),
                PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE);
        return ApplicationContext.builder()
                .properties(Map.of(PREFIX + "services.psp.retries", 2))
                .propertySources(environment)
                .start();
    }

    /** The variable is also the delay of a service named psp-max. */
    @Test
    void aWrongVariableIsNamedByTheServiceWithTheShortestName() {
        withMaxDelay("60s").close();
        assertThatThrownBy(() -> withMaxDelay("soon").close())
                .hasStackTraceContaining(PREFIX + "services.psp.max-delay: 'soon' is not a duration");
    }

    @ParameterizedTest
    @CsvSource({
        "delay, 1w, idempotency.http.client.delay",
        "delay, 0s, idempotency.http.client.delay",
        "retries, -1, idempotency.http.client.retries",
        "retries, many, idempotency.http.client.retries",
        "jitter, 2, idempotency.http.client.jitter",
        "multiplier, 0.5, idempotency.http.client.multiplier",
        "max-delay, 1ms, idempotency.http.client.max-delay",
        "max-delay, 0s, idempotency.http.client.max-delay",
        "retrys, 3, idempotency.http.client.retrys",
        "services.psp.retrys, 3, idempotency.http.client.services.psp.retrys",
        "services.psp.retries, -1, idempotency.http.client.services.psp.retries",
        "services.psp.max-delay, 1ms, idempotency.http.client.services.psp.max-delay",
        "services.psp.max-delay, 0s, idempotency.http.client.services.psp.max-delay",
        "services.psp.send-key, ture, idempotency.http.client.services.psp.send-key",
    })
    void aPropertyThatMeansNothingStopsTheApplicationByName(String property, String value, String named) {
        assertThatThrownBy(() -> with(Map.of(property, value), context -> {})).hasStackTraceContaining(named);
    }
}
