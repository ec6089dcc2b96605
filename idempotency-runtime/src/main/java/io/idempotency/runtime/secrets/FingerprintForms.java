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
 * The forms of fingerprints that this node can make: a version of the canonical form, and a secret or none. A
 * fingerprint begins with its form and a colon, for instance {@code 1:}, or {@code 1.5f3a90c1:} with the id of a
 * secret, so a call can be compared with a record of any of these forms. Thread-safe.
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

    /** Version 1, which always stays, because keys made of arguments are written in it. */
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
        digesters.put("", KeyedDigest.PLAIN); // for records from before there was a secret
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

    /** Tells whether this node writes fingerprints under a secret; false for plain digests. */
    public boolean areKeyed() {
        return current.digester().isKeyed();
    }

    /**
     * Returns the fingerprint of a call, in the form that this node writes and in every other form that it knows.
     * Digests every version at once, so that later changes of the arguments do not count; adds a secret when a record
     * needs it.
     *
     * @param family the kind of content, for instance a request: fingerprints of different families are never equal
     * @param digested returns the SHA-256 of what a version writes
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
     * Returns a digest of a caller, 64 lower-case hexadecimal digits. It differs for each record, so that a stolen
     * store does not show which keys belong to one caller.
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
