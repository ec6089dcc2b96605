package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyException;
import io.idempotency.http.client.ScriptedServer.Answer;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a server answers is a result, one of the client's exceptions, or a refusal; attempts come to an end. */
@Tag("thorough")
@MicronautTest(startApplication = false)
class AnswerFuzzTest extends PspApplication {

    private static final int DEEP = 200_000;

    @Test
    void anyAnswerIsAResultOrTheClientsException() {
        Fuzz.inputs(250, input -> {
            server.answer(answer(input));
            assertExpected(input.oneIn(2));
        });
    }

    private void assertExpected(boolean once) {
        Throwable thrown = catchThrowable(() -> {
            if (once) {
                psp.once(ORDER);
            } else {
                psp.charge(ORDER);
            }
        });
        if (thrown != null) {
            assertThat(thrown).isInstanceOfAny(IdempotencyException.class, HttpClientException.class);
        }
        assertThat(server.seen()).hasSizeBetween(1, 10);
    }

    private static Answer answer(Input input) {
        int status = input.one(200, 201, 400, 403, 409, 422, 425, 429, 500, 503, 201 + input.below(398));
        String type = input.one("application/problem+json", "application/json", "text/html", "nonsense");
        String code = input.one("in-progress", "outcome-unknown", "key-reused", field(input));
        String body = input.oneIn(2)
                ? input.json("code", "retry", "executed", "operation", "detail", "type", "title", "error")
                : "{\"code\":\"" + code + "\",\"retry\":\""
                        + input.one("same-key", "never", field(input).replaceAll("[\"\\\\]", "")) + "\",\"executed\":"
                        + input.one("\"no\"", "\"unknown\"", "1e1000000000", "[]") + "}";
        Answer answer = new Answer(status == 204 || status == 304 ? 200 : status, type, body, Map.of());
        if (input.oneIn(2)) {
            answer = answer.and("Idempotency-Status", input.one("refused;code=", "key;executed=", "") + field(input));
        }
        if (input.oneIn(2)) {
            String date = input.one("Wed, 21 Oct 9999 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT");
            answer = answer.and("Retry-After", input.one(date, Long.toString(input.number()), field(input)));
        }
        return answer;
    }

    /** What a header field can hold. */
    private static String field(Input input) {
        return input.text(40).replaceAll("[^ -~]", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000000000", "[", "{\"error\":"})
    void aDocumentThatIsMadeToBreakItsReaderIsNone(String value) {
        String deep =
                value.startsWith("1") ? value : value.repeat(DEEP) + "1" + (value.equals("[") ? "]" : "}").repeat(DEEP);
        for (String body : new String[] {
            deep,
            "{\"code\":" + deep + "}",
            "{\"error\":" + deep + ",\"code\":\"in-progress\"}",
            "{\"title\":" + deep + "}"
        }) {
            server.answer(new Answer(409, "application/problem+json", body, Map.of()));
            assertExpected(true);
        }
    }
}
