package io.idempotency.demo.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever retries, and however: the body runs once, and the client ends with the first answer. Most of the time they wait. */
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class ForeignClientsTest {

    private static final List<String> CLIENTS =
            List.of("stripe", "axios-retry", "got", "undici", "urllib3", "okhttp", "httpclient5");
    private static final String BODY = "{\"amount\": 1250}";

    private static Map<String, List<String>> commands;

    private final ShopServer shop = new ShopServer();

    /** Once: while one client runs, nobody writes the script of another. */
    @BeforeAll
    static void install() {
        commands = new HashMap<>(Map.of("okhttp", List.of(), "httpclient5", List.of()));
        CLIENTS.stream()
                .filter(client -> !commands.containsKey(client))
                .forEach(client -> ForeignClient.command(client).ifPresent(command -> commands.put(client, command)));
    }

    @AfterEach
    void stop() {
        shop.close();
    }

    static Stream<Arguments> clients() {
        return CLIENTS.stream()
                .flatMap(client ->
                        Stream.of(ShopServer.ANNOTATED, ShopServer.CONFIGURED).map(path -> Arguments.of(client, path)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("clients")
    void aLostAnswerIsReplayed(String client, String path) throws Exception {
        runsOnce(client, path, ShopServer::loseTheFirstAnswer);
        assertThat(shop.requests()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("clients")
    void aRequestThatIsStillWorkedOnIsWaitedFor(String client, String path) throws Exception {
        runsOnce(client, path, ShopServer::breakWhileTheBodyRuns);
        assertThat(shop.requests()).isGreaterThanOrEqualTo(3);
    }

    private void runsOnce(String client, String path, Consumer<ShopServer> fault) throws Exception {
        String key = UUID.randomUUID().toString();
        String kind = path.equals(ShopServer.ANNOTATED) ? "payment_intent" : "customer";
        List<String> command = commands.get(client);
        if (command == null) {
            System.out.println(
                    "SKIPPED: " + client + " cannot run here. It needs node or python, and its packages: name"
                            + " their folder with -Didempotency.test.node-modules=…");
        }
        Assumptions.assumeTrue(command != null, client + " cannot run here");
        fault.accept(shop);
        String outcome = switch (client) {
            case "okhttp" -> okHttp(path, key);
            case "httpclient5" -> httpClient5(path, key);
            default -> ForeignClient.output(command, shop.url(), path, key);
        };
        assertThat(outcome).isEqualTo("200 true " + kind + "-1");
        assertThat(shop.bodies()).isEqualTo(1);
    }

    /**
     * It sends a POST again after nothing but 408 and 503, so that applications write such an interceptor. Since this one does not wait, it
     * asks as often as it takes until the body has ended.
     */
    private String okHttp(String path, String key) throws IOException {
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(chain -> {
                    for (int sent = 1; ; sent++) {
                        try {
                            Response response = chain.proceed(chain.request());
                            if (response.code() != 409) {
                                return response;
                            }
                            response.close();
                        } catch (IOException e) {
                            if (sent == 5) {
                                throw e;
                            }
                        }
                    }
                })
                .build();
        Request request = new Request.Builder()
                .url(shop.url() + path)
                .header("Idempotency-Key", key)
                .post(RequestBody.create(BODY, MediaType.get("application/json")))
                .build();
        try (Response response = client.newCall(request).execute()) {
            return response.code() + " " + response.header("Idempotent-Replayed") + " "
                    + id(response.body().string());
        } finally {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        }
    }

    private String httpClient5(String path, String key) throws IOException {
        DefaultHttpRequestRetryStrategy keyed =
                new DefaultHttpRequestRetryStrategy(4, TimeValue.ofMilliseconds(100), List.of(), List.of(409, 503)) {
                    @Override
                    protected boolean handleAsIdempotent(HttpRequest request) {
                        return request.containsHeader("Idempotency-Key");
                    }
                };
        try (CloseableHttpClient client =
                HttpClients.custom().setRetryStrategy(keyed).build()) {
            HttpPost post = new HttpPost(shop.url() + path);
            post.setHeader("Idempotency-Key", key);
            post.setEntity(new StringEntity(BODY, ContentType.APPLICATION_JSON));
            return client.execute(post, response -> {
                Header mark = response.getFirstHeader("Idempotent-Replayed");
                return response.getCode() + " " + (mark == null ? null : mark.getValue()) + " "
                        + id(EntityUtils.toString(response.getEntity()));
            });
        }
    }

    private static String id(String json) {
        return json.replaceFirst("^.*\"id\":\"([^\"]*)\".*$", "$1");
    }
}
