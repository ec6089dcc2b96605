package io.idempotency.runtime.secrets;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The forms in which this node can make fingerprints: a version of the canonical form, and a secret or none. A fingerprint
 * says in front of a colon which form it is in, for instance {@code 1:} or {@code 1.5f3a90c1:} with the id of a secret, so
 * that a call can be compared with a record of any of them. Thread-safe.
 */
@Singleton
public final class FingerprintForms {

    private static final Logger LOG = LoggerFactory.getLogger(FingerprintForms.class);

    private final List<FingerprintVersion> versions;
    private final Map<String, Form> forms = new LinkedHashMap<>();
    private final Form current;

    private record Form(FingerprintVersion version, KeyedDigest digester, String prefix) {
        Form(FingerprintVersion version, KeyedDigest digester) {
            this(version, digester, version.number() + (digester.isKeyed() ? "." + digester.id() : "") + ":");
        }
    }

    /** It stays, because keys made of arguments are made of it. */
    private record FirstVersion() implements FingerprintVersion {
        @Override
        public int number() {
            return FingerprintWriter.VERSION;
        }

        @Override
        public FingerprintWriter writer(OpenValues openValues) {
            return new FingerprintWriter(openValues);
        }
    }

    FingerprintForms(List<FingerprintVersion> versions, FingerprintConfiguration configuration) {
        this.versions = Stream.concat(Stream.of(new FirstVersion()), versions.stream())
                .sorted(Comparator.comparingInt(FingerprintVersion::number))
                .toList();
        Map<String, KeyedDigest> digesters = new LinkedHashMap<>();
        digesters.put("", KeyedDigest.PLAIN); // what was written before there was a secret
        for (String other : Objects.requireNonNullElse(configuration.getOtherSecrets(), List.<String>of())) {
            KeyedDigest digester = KeyedDigest.of(FingerprintConfiguration.PREFIX + ".other-secrets", other);
            digesters.put(digester.id(), digester);
        }
        String secret = configuration.getSecret();
        KeyedDigest writing = secret == null
                ? KeyedDigest.PLAIN
                : KeyedDigest.of(FingerprintConfiguration.PREFIX + ".secret", secret);
        digesters.put(writing.id(), writing);
        for (FingerprintVersion version : this.versions) {
            digesters.values().stream()
                    .map(digester -> new Form(version, digester))
                    .forEach(form -> forms.put(form.prefix(), form));
        }
        this.current = new Form(chosen(configuration.getVersion()), writing);
        if (forms.size() > 1) {
            LOG.info(
                    "Fingerprints are written in the form {} (the version, and the id of the secret), and compared in any of {}",
                    current.prefix(),
                    forms.keySet());
        }
    }

    private FingerprintVersion chosen(@Nullable Integer asked) {
        int number = asked == null ? versions.get(versions.size() - 1).number() : asked;
        return versions.stream()
                .filter(version -> version.number() == number)
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(FingerprintConfiguration.PREFIX + ".version: " + number
                        + " is not known here. This node writes one of "
                        + versions.stream().map(FingerprintVersion::number).toList()
                        + ". Correct it, or leave it out for the newest."));
    }

    /** Whether a secret keys what this node writes; false for plain digests. */
    public boolean areKeyed() {
        return current.digester().isKeyed();
    }

    /**
     * The fingerprint of a call. Every version is digested at once, so that nothing that happens to the arguments afterwards
     * counts; a secret is added when a record asks for it. The fingerprint in the form of this node, and in every other one it
     * knows.
     *
     * @param family what was written, for instance a request: different families are never equal
     * @param digested the SHA-256 of what a version writes
     */
    public CallFingerprint of(String family, Function<FingerprintVersion, byte[]> digested) {
        if (forms.size() == 1) {
            return CallFingerprint.only(fingerprint(family, current, digested.apply(current.version())));
        }
        Map<FingerprintVersion, byte[]> digests = new HashMap<>();
        versions.forEach(version -> digests.put(version, digested.apply(version)));
        Function<Form, String> made =
                form -> fingerprint(family, form, Objects.requireNonNull(digests.get(form.version())));
        return new CallFingerprint(made.apply(current), prefix -> {
            Form form = prefix.startsWith(family) ? forms.get(prefix.substring(family.length())) : null;
            return form == null ? null : made.apply(form);
        });
    }

    private static String fingerprint(String family, Form form, byte[] digest) {
        return family + form.prefix() + form.digester().digest("fingerprint", digest);
    }

    /**
     * A digest of a caller, another one for every record, so that a stolen store does not tell which keys are of one caller; 64
     * lower-case hexadecimal digits.
     */
    public String callerMark(String form, RecordId id, String caller) {
        String key = form.indexOf('.') < 0 ? "" : form.substring(form.indexOf('.') + 1, form.length() - 1);
        KeyedDigest digester = forms.values().stream()
                .map(Form::digester)
                .filter(known -> known.id().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no secret for the form " + form));
        return digester.digest("caller-mark", List.of(id.value(), caller));
    }
}
