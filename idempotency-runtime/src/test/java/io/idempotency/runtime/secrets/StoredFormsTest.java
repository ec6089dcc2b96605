package io.idempotency.runtime.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.KeyFormat;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.codec.Fingerprints;
import io.idempotency.runtime.config.KeyPolicy;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What is stored under secrets, computed by another program from the description: a record that one version stored is found,
 * compared and read by every later one.
 */
class StoredFormsTest {

    private static final String PLAIN = "1:d139382f2ef800185e64a7ceb2b1b91723226f60c4a312cc631462117ac5c8ce";
    private static final String KEYED = "1.fa870f98:92a703255f9632103baa9879e6f68ab33751558c6343c6cd81b9dd3e7fa976d7";
    private static final Map<String, Object> SECRETS = Map.of(
            "idempotency.fingerprint.secret", "the first secret of all",
            "idempotency.fingerprint.identity-secret", "the secret of identities");
    private static final RecordId ID = RecordId.of("import-file", null, null, "k");

    private static ApplicationContext start(Map<String, Object> properties) {
        return ApplicationContext.run(new HashMap<>(properties));
    }

    private static CallFingerprint fingerprint(ApplicationContext context) {
        return context.getBean(Fingerprints.class).ofJson("import-file", Map.of("a", 1));
    }

    private static String idOf(ApplicationContext context, String key) {
        KeyPolicy shared = new KeyPolicy(true, KeyFormat.ANY, OtherCallers.SHARE, 0, 0);
        KeyScope.Scoped scoped =
                context.getBean(KeyScope.class).of("import-file", "import-file", key, fingerprint(context), shared);
        return scoped.id().value();
    }

    @Test
    void withoutSecrets() {
        try (ApplicationContext context = start(Map.of())) {
            CallFingerprint fingerprint = fingerprint(context);
            assertThat(fingerprint.text()).isEqualTo(PLAIN);
            Map<String, Object> nested = Map.of("b", List.of(1.5, true, "x"), "c", Set.of("z"));
            assertThat(context.getBean(Fingerprints.class)
                            .ofJson("import-file", nested)
                            .text())
                    .isEqualTo("1:ec88e4a210a3f87e6bb9cec0a2c549bc45c2ee650ecf07a6a0f090835489ead6");
            assertThat(idOf(context, Fingerprints.keyOf(fingerprint)))
                    .isEqualTo("2b52975c48c5bfa12630562e9ccebcfa30ee53c7d20c30564bd7f2b7f289f804");
            assertThat(context.getBean(FingerprintForms.class).callerMark("1:", ID, "alice"))
                    .startsWith("fc950b9093aca612bde969");
            assertThat(context.getBean(IdentityDigests.class).derivedKey(ID, "psp"))
                    .isEqualTo(ID.derive("psp"));
        }
    }

    @Test
    void withSecrets() {
        try (ApplicationContext context = start(SECRETS)) {
            CallFingerprint fingerprint = fingerprint(context);
            assertThat(fingerprint.text()).isEqualTo(KEYED);
            assertThat(fingerprint.in(PLAIN)).isEqualTo(PLAIN);
            assertThat(fingerprint.in("1.00000000:")).isNull();
            assertThat(fingerprint.in("2:")).isNull();
            assertThat(idOf(context, Fingerprints.keyOf(fingerprint)))
                    .isEqualTo("deb5716fecdaf4bebc0a43450c49092ed48eb00a3c95ed3b8cdd482990b41ee4");
            assertThat(idOf(context, "k"))
                    .isEqualTo("2e9bf634916343d5dec73e7e90bd2364d29f0b6a80a45d4dfe716e4e0e334878");
            assertThat(context.getBean(FingerprintForms.class).callerMark("1.fa870f98:", ID, "alice"))
                    .startsWith("788d658b6eb82bc98b44f1");
            assertThat(context.getBean(IdentityDigests.class).derivedKey(ID, "psp"))
                    .isEqualTo("061037c7a39c3389be86ffdbd8d6bfb56f811d240bccbf3ead20a8d3b4456c30");
        }
    }

    @Test
    void outcomesThatWereSealedAreOpened() throws IOException {
        byte[] result = ("\"" + "abc".repeat(20) + "\"").getBytes(StandardCharsets.UTF_8);
        try (ApplicationContext context = start(
                Map.of("idempotency.encryption.other-keys", List.of("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")))) {
            OutcomeSeal seal = context.getBean(OutcomeSeal.class);
            assertThat(seal.open(ID, HexFormat.of().parseHex("fffe69645a0000003e534a4c4a261b290100")))
                    .isEqualTo(result);
            assertThat(seal.open(
                            ID,
                            HexFormat.of()
                                    .parseHex("fffe696445fa0cde5e000102030405060708090a0b478b830402ea11e6"
                                            + "11c648d8a6ced8fad5aeb62084380fac43194b663767ec06b2dd")))
                    .isEqualTo(result);
            assertThat(seal.open(ID, result)).isEqualTo(result);
        }
    }
}
