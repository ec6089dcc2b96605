package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.test.servers.FreePort;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where users run: TLS, a password, and a user who may do no more than docs/redis.md says. */
class TlsTest {

    private static final String SECRET = "changeit";

    @TempDir
    private Path directory;

    private Path pem(String name, String kind, byte[] encoded) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return Files.writeString(
                directory.resolve(name), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    private String[] certified(int port) throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "redis",
                        "-dname",
                        "CN=localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        SECRET)
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, SECRET.toCharArray());
        }
        Path key = pem(
                "key.pem",
                "PRIVATE KEY",
                keys.getKey("redis", SECRET.toCharArray()).getEncoded());
        Path certificate = pem(
                "certificate.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
        return new String[] {
            "--tls-port",
            Integer.toString(port),
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            certificate.toString(),
            "--tls-key-file",
            key.toString(),
            "--tls-ca-cert-file",
            certificate.toString(),
            "--appendonly",
            "yes"
        };
    }

    /** What follows ACL SETUSER in the guide. */
    private static List<String> documentedUser() throws IOException {
        String guide = Files.readString(Path.of("../docs/redis.md"));
        Matcher line = Pattern.compile("ACL (SETUSER (?:.*\\\\\\n)*.*)\\n").matcher(guide);
        assertThat(line.find()).isTrue();
        return Arrays.asList(line.group(1).replace("\\\n", " ").trim().split("\\s+"));
    }

    private static void createDocumentedUser(RedisServer server) throws IOException {
        RedisClient client = RedisClient.create(server.uri());
        CommandArgs<String, String> words = new CommandArgs<>(StringCodec.UTF8);
        documentedUser().forEach(words::add);
        client.connect().sync().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), words);
        client.shutdown();
    }

    @Test
    void documentedUserDoesEverythingOverTls() throws Exception {
        int port = FreePort.next();
        try (RedisServer server = RedisServer.onHost(certified(port))) {
            createDocumentedUser(server);
            String uri = "rediss://idempotency:password@127.0.0.1:" + port + "?verifyPeer=NONE";
            try (RedisApplication application =
                    RedisApplication.on(uri, "idempotency.redis.required-durability", "every-second")) {
                everyVerb(application.store());
            }
            String wrong = uri.replace("password", "guessed");
            assertThatThrownBy(() -> RedisApplication.on(wrong).store()).hasStackTraceContaining("WRONGPASS");
            String verified = uri.replace("?verifyPeer=NONE", "");
            assertThatThrownBy(() -> RedisApplication.on(verified).store())
                    .as("nobody vouches for the certificate")
                    .hasStackTraceContaining("certification path");
        }
    }

    private static void everyVerb(RedisIdempotencyStore store) {
        Ownership owner = acquired(store, claim("k"));
        try (Subscription listening = store.signals().orElseThrow().listen(id("k"), () -> {})) {
            await().until(listening::live);
            assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
        }
        assertThat(get(store.renew(List.of(new Renewal(owner, Duration.ofMinutes(1), RETENTION)))
                        .get(0)))
                .isInstanceOf(Settled.Applied.class);
        assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
        assertThat(get(store.release(acquired(store, claim("released"))))).isInstanceOf(Settled.Applied.class);
        Ownership lost = acquired(store, claim("lost"));
        assertThat(get(store.doubt(lost, "lost", RETENTION))).isInstanceOf(Settled.Applied.class);
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).hasSize(1);
        AuditNote note = new AuditNote("anna: seen", Duration.ofDays(1));
        assertThat(get(store.resolve(lost.id(), lost.fence(), new Resolution.Forget(), note)))
                .isInstanceOf(Settled.Applied.class);
        assertThat(get(store.audit(lost.id()))).containsExactly("anna: seen");
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 9))).hasSize(1);
        assertThat(get(store.erase(owner.id(), note))).isInstanceOf(Settled.Applied.class);
        assertThat(get(store.purge(1000))).isZero();
        assertThat(store.approximateSize().orElseThrow()).isPositive();
        assertThat(store.health().usable()).isTrue();
        assertThat(store.durability.ask().actual()).isEqualTo(DurabilityLevel.EVERY_SECOND);
    }
}
