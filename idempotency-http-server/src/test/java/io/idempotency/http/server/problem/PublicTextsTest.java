package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotentOperation;
import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers read nothing of the inside: no names of classes, properties or annotations, no addresses, no whole ids. */
@MicronautTest
@Property(name = "test.refusals", value = "true")
@Property(name = "test.shop", value = "true")
class PublicTextsTest {

    private static final List<String> FORMS =
            List.of("application/json", "text/plain,*/*;q=0.1", "text/html,*/*;q=0.8");

    /** Of the operator's text, and what such texts contain in general. */
    private static final Pattern INSIDE = Pattern.compile(
            "Exception|java\\.|io\\.|idempotency\\.|db-7|:\\d{4}|ada@|example\\.com|@|lease|on[A-Z]|[0-9a-f]{9}");

    /** Operations that are called after their class, since they have no name. */
    @Controller("/unnamed")
    @Requires(property = "test.refusals")
    static class Unnamed {
        private final Provider<Unnamed> self;

        Unnamed(Provider<Unnamed> self) {
            this.self = self;
        }

        @Post("/one")
        @IdempotentOperation
        String one() {
            return "one";
        }

        @Post("/two")
        String two(@Header("Idempotency-Key") String key) {
            return self.get().one() + self.get().other(key);
        }

        @IdempotentOperation(key = "key")
        String other(String key) {
            return "other";
        }
    }

    private final LogLines log = LogLines.of(ProblemHandler.class).from(Level.DEBUG);

    @Inject
    @Client("/")
    HttpClient client;

    @AfterEach
    void stopListening() {
        log.close();
    }

    private HttpResponse<byte[]> send(String path, String accept, String... key) {
        MutableHttpRequest<String> request = post(path, "{\"name\":\"book\",\"price\":12.50}");
        request.getHeaders().set("Accept", accept);
        for (String value : key) {
            request.header("Idempotency-Key", value);
        }
        return new Wire(client).send(request);
    }

    private static void assertSaysNothingOfTheInside(HttpResponse<byte[]> response) {
        // Micronaut's own error page is styled and links to itself
        String body = text(response).replaceAll("(?s)<style>.*?</style>|<svg.*?</svg>", "");
        assertThat(body).doesNotContainPattern(INSIDE);
        response.getHeaders()
                .forEach((name, values) -> assertThat(values)
                        .as(name)
                        .noneMatch(value -> INSIDE.matcher(value).find()));
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalKeepsTheInsideToTheLog(Refusal refusal) {
        for (String form : FORMS) {
            assertSaysNothingOfTheInside(send("/refuse/" + refusal.code(), form));
        }
        assertThat(log.events()).hasSizeGreaterThanOrEqualTo(FORMS.size());
        assertThat(log.messages().get(0))
                .contains(RefusingController.SECRET, "[key " + RefusingController.HASH.substring(0, 8) + "\u2026]")
                .contains("'charge'", refusal.code())
                .doesNotContain(RefusingController.HASH);
    }

    @Test
    void nothingOfWhatABodyThrewIsToldToDuplicates() {
        String key = UUID.randomUUID().toString();
        assertThat(text(send("/shop/broken", FORMS.get(0), key))).contains("Internal Server Error: broken");
        for (String form : FORMS) {
            HttpResponse<byte[]> again = send("/shop/broken", form, key);
            assertThat(text(again)).contains("previous-attempt-failed").doesNotContain(": broken");
        }
    }

    @Test
    void nothingOfWhatCutABodyOffIsToldToDuplicates() {
        String key = UUID.randomUUID().toString();
        send("/shop/cut-off", FORMS.get(0), key);
        for (String form : FORMS) {
            HttpResponse<byte[]> again = send("/shop/cut-off", form, key);
            assertThat(again.code()).isEqualTo(409);
            assertThat(text(again)).doesNotContainPattern("[^-]broken|no answer");
            assertSaysNothingOfTheInside(again);
        }
    }

    @Test
    void anOperationWithoutANameIsNotSaidToBeItsClass() {
        for (String form : FORMS) {
            HttpResponse<byte[]> refused = send("/unnamed/one", form);
            assertThat(refused.code()).isEqualTo(400);
            assertSaysNothingOfTheInside(refused);
        }
        HttpResponse<byte[]> both =
                send("/unnamed/two", FORMS.get(0), UUID.randomUUID().toString());
        assertThat(both.header("Idempotency-Status")).isEqualTo("executed;op=\"\";n=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,b", "\"open"})
    void aMissingOrMalformedKeyIsExplainedWithoutConfigurationAdvice(String key) {
        for (String form : FORMS) {
            HttpResponse<byte[]> refused = key.isEmpty() ? send("/shop/pojo", form) : send("/shop/pojo", form, key);
            assertThat(refused.code()).isEqualTo(400);
            assertSaysNothingOfTheInside(refused);
        }
    }
}
