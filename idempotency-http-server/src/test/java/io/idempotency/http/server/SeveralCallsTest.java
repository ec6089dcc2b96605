package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a response says of the idempotent calls below its route. */
@MicronautTest
@Property(name = "test.several", value = "true")
class SeveralCallsTest {

    @Inject
    @Client("/several")
    HttpClient client;

    private final String key = UUID.randomUUID().toString();

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, ""));
    }

    private static String replayed(HttpResponse<?> response) {
        return response.header("Idempotent-Replayed");
    }

    private static String status(HttpResponse<?> response) {
        return response.header("Idempotency-Status");
    }

    @Test
    void severalCallsAreListedAndTheAnswerIsAReplayOnlyIfAllWereReplayed() {
        send("/each?keys=" + key);
        HttpResponse<byte[]> mixed = send("/two?key=" + key);
        assertThat(replayed(mixed)).isNull();
        assertThat(status(mixed)).isEqualTo("replayed;op=\"several-one\", executed;op=\"several-other\"");
        HttpResponse<byte[]> both = send("/two?key=" + key);
        assertThat(replayed(both)).isEqualTo("true");
        assertThat(status(both)).isEqualTo("replayed;op=\"several-one\", replayed;op=\"several-other\"");
        assertThat(text(both)).isEqualTo(text(mixed));
    }

    @Test
    void callsOfOneKindAreCounted() {
        HttpResponse<byte[]> response = send("/each?keys=" + key + "&keys=" + key + "&keys=" + key);
        assertThat(status(response)).isEqualTo("executed;op=\"several-one\", replayed;op=\"several-one\";n=2");
        assertThat(replayed(response)).isNull();
    }

    @Test
    void oneCallAloneSaysWhatItsKeyIsNow() {
        assertThat(status(send("/each?keys=" + key))).isEqualTo("executed;key=settled");
        HttpResponse<byte[]> again = send("/each?keys=" + key);
        assertThat(status(again)).isNull();
        assertThat(replayed(again)).isEqualTo("true");
    }

    @Test
    void aRefusalThatTheApplicationCaughtIsListedToo() {
        assertThat(status(send("/caught?key=" + key)))
                .isEqualTo("failed;effect=unknown;op=\"several-cut-off\", executed;op=\"several-one\"");
        HttpResponse<byte[]> again = send("/caught?key=" + key);
        assertThat(status(again))
                .isEqualTo("refused;code=outcome-unknown;executed=unknown;retry=never;op=\"several-cut-off\","
                        + " replayed;op=\"several-one\"");
        assertThat(replayed(again)).isNull();
        assertThat(again.code()).isEqualTo(200);
    }

    @Test
    void aRefusalThatTheApplicationAnswersItselfIsSaidToo() {
        assertThat(status(send("/caught-alone?status=500&key=" + key))).isEqualTo("executed;key=in-doubt");
        HttpResponse<byte[]> again = send("/caught-alone?status=500&key=" + key);
        assertThat(text(again)).isEqualTo("caught");
        assertThat(status(again)).isEqualTo("refused;code=outcome-unknown;executed=unknown;retry=never");
    }

    /** What it did in place of the call is done, and must not be done again with a new key. */
    @Test
    void aRefusalAfterWhichTheApplicationSucceedsIsNotTheAnswersStatus() {
        send("/caught-alone?status=200&key=" + key);
        HttpResponse<byte[]> again = send("/caught-alone?status=200&key=" + key);
        assertThat(text(again)).isEqualTo("caught");
        assertThat(again.header("Idempotency-Status")).isNull();
    }

    @Test
    void aRefusalThatIsTheWholeAnswerIsSaidOnce() {
        send("/alone?key=" + key);
        HttpResponse<byte[]> again = send("/alone?key=" + key);
        assertThat(again.code()).isEqualTo(409);
        assertThat(status(again)).isEqualTo("refused;code=outcome-unknown;executed=unknown;retry=never");
    }

    @Test
    void aRefusalThatIsTheWholeAnswerStandsInFrontOfTheCalls() {
        send("/refused?key=" + key);
        HttpResponse<byte[]> again = send("/refused?key=" + key);
        assertThat(again.code()).isEqualTo(409);
        assertThat(status(again))
                .isEqualTo("refused;code=outcome-unknown;executed=unknown;retry=never, replayed;op=\"several-one\","
                        + " refused;code=outcome-unknown;executed=unknown;retry=never;op=\"several-cut-off\"");
    }

    /** Who takes the refusal for the whole request's and sends it with a new key would have the first call run twice. */
    @Test
    void aRefusalDoesNotSayThatNothingRanWhereAnotherCallOfTheRequestDid() {
        assertThat(status(send("/none"))).isEqualTo("refused;code=key-missing;executed=no;retry=new-key");
        for (int i = 0; i < 2; i++) { // the first call runs, then it is replayed
            HttpResponse<byte[]> half = send("/half?key=" + key);
            assertThat(half.code()).isEqualTo(400);
            assertThat(status(half)).isEqualTo("refused;code=key-missing;executed=unknown;retry=never");
            assertThat(replayed(half)).isNull();
            assertThat(text(half))
                    .contains(
                            "\"executed\":\"unknown\"",
                            "\"retry\":\"never\"",
                            "Operations of the same request have run");
        }
    }

    @Test
    void norWhereAnotherCallOfTheRequestMayHaveRunAndItsRefusalWasCaught() {
        for (int i = 0; i < 2; i++) { // the first call is cut off, then its outcome is unknown
            assertThat(status(send("/caught-half?key=" + key)))
                    .startsWith("refused;code=key-missing;executed=unknown;retry=never");
        }
    }

    @Test
    void callsOfOneKindAreListedBehindARefusalThatIsTheWholeAnswer() {
        String calls = "/each?keys=" + key + "&keys=" + key + "-2&keys=";
        for (String outcome : new String[] {"executed", "replayed"}) {
            assertThat(status(send(calls)))
                    .isEqualTo("refused;code=key-missing;executed=unknown;retry=never, " + outcome
                            + ";op=\"several-one\";n=2");
        }
    }

    @ParameterizedTest
    @CsvSource({"/thrown, 502", "/local, 500"})
    void theMarkAppearsOnErrorPaths(String path, int status) {
        assertThat(replayed(send(path + "?key=" + key))).isNull();
        HttpResponse<byte[]> again = send(path + "?key=" + key);
        assertThat(again.code()).isEqualTo(status);
        assertThat(text(again).equals("answered")).isEqualTo(path.equals("/local"));
        assertThat(replayed(again)).isEqualTo("true");
    }

    @Test
    void theMarkAppearsOnReactiveRoutes() {
        assertThat(replayed(send("/reactive?key=" + key))).isNull();
        assertThat(replayed(send("/reactive?key=" + key))).isEqualTo("true");
    }

    @Test
    void callsThatRunAtOnceAreAllNoted() {
        assertThat(status(send("/at-once?key=" + key))).isEqualTo("executed;op=\"several-reactive\";n=8");
        HttpResponse<byte[]> again = send("/at-once?key=" + key);
        assertThat(status(again)).isEqualTo("replayed;op=\"several-reactive\";n=8");
        assertThat(replayed(again)).isEqualTo("true");
    }

    @Test
    void safeRequestsAreLeftAloneAndAKeyThatDoesNothingIsSaid() {
        Wire wire = new Wire(client);
        HttpResponse<byte[]> first = wire.send(HttpRequest.GET("/safe"));
        assertThat(first.code()).isEqualTo(200);
        assertThat(status(first)).isNull();
        HttpResponse<byte[]> keyed = wire.send(HttpRequest.GET("/safe").header("Idempotency-Key", key));
        HttpResponse<byte[]> again = wire.send(HttpRequest.GET("/safe").header("Idempotency-Key", key));
        assertThat(status(keyed)).isEqualTo("ignored");
        assertThat(text(again)).isNotEqualTo(text(keyed));
    }

    @Test
    void anOperationOfAnotherMethodKeepsItsProtectionDuringASafeRequest() {
        Wire wire = new Wire(client);
        HttpResponse<byte[]> without = wire.send(HttpRequest.GET("/confirm"));
        assertThat(without.code()).isEqualTo(400);
        assertThat(text(without)).contains("key-missing");
        HttpResponse<byte[]> keyed = wire.send(HttpRequest.GET("/confirm").header("Idempotency-Key", key));
        HttpResponse<byte[]> again = wire.send(HttpRequest.GET("/confirm").header("Idempotency-Key", key));
        assertThat(status(keyed)).isEqualTo("executed;key=settled");
        assertThat(text(again)).isEqualTo(text(keyed));
        assertThat(replayed(again)).isEqualTo("true");
    }
}
