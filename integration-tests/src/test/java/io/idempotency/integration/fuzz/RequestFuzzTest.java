package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.idempotency.integration.fuzz.RawHttp.Answer;
import java.io.IOException;

/** Any key header and any body: never the server's own failure, and one body for what was sent twice. */
class RequestFuzzTest {

    private static final Object[] CONFIGURATION = {
        Target.PROPERTY,
        true,
        "idempotency.store",
        "memory",
        "idempotency.http.routes.fuzz.path",
        "/fuzz/configured",
        "idempotency.http.routes.fuzz.canonical-json",
        true,
    };

    @FuzzTest(maxDuration = "20s")
    void anyRequestIsAnsweredOrRefused(FuzzedDataProvider data) throws IOException {
        BugDetectors.allowNetworkConnections();
        RawHttp http = new RawHttp(Started.server(CONFIGURATION).getPort());
        String path = data.consumeBoolean() ? "/fuzz/annotated" : "/fuzz/configured";
        String type =
                data.pickValue(new String[] {"application/json", "text/plain", "application/json;charset=utf-16", ""});
        String key = data.consumeString(300).replace("\r", "").replace("\n", "");
        byte[] head = RawHttp.ascii("Content-Type: " + type + "\r\nIdempotency-Key: " + key);
        byte[] body = data.consumeRemainingAsBytes();
        Answer first = http.post(path, head, body);
        Answer second = http.post(path, head, body);
        assertThat(first.status()).as("%s", first).isLessThan(500);
        if (first.status() == 200 && first.head().contains("Idempotency-Status")) {
            assertThat(second.body()).as("%s, then %s", first, second).isEqualTo(first.body());
        }
    }
}
