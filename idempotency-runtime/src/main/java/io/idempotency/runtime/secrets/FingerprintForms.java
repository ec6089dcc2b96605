package io.idempotency.runtime.secrets;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.ConfigurationProperties;
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

    /** Version 1, which always stays, because keys made of arguments are written in it. */
    private static final FingerprintVersion FIRST =
            new FingerprintVersion(FingerprintWriter.VERSION, FingerprintWriter::new);

    private final List<FingerprintVersion> versions;
    private final Map<String, Form> forms = new LinkedHashMap<>();
    private final Form current;

    /**
     * A version of the canonical form that this node can write. A change of the form adds a bean for the new version and
     * keeps that of the former one, unchanged, for as long as its records may be kept: during a rolling deployment nodes
     * of both versions run, and a key's record may come from either.
     *
     * @param number from 1 on, part of the form of its fingerprints
     */
    public record FingerprintVersion(int number, Function<OpenValues, FingerprintWriter> writer) {}

    private record Form(FingerprintVersion version, KeyedDigest digester, String prefix) {
        Form(FingerprintVersion version, KeyedDigest digester) {
            this(version, digester, version.number() + (digester.isKeyed() ? "." + digester.id() : "") + ":");
        }
    }

    FingerprintForms(List<FingerprintVersion> versions, Configuration configuration) {
        this.versions = Stream.concat(Stream.of(FIRST), versions.stream())
                .sorted(Comparator.comparingInt(FingerprintVersion::number))
                .toList();
        Map<String, KeyedDigest> digesters = new LinkedHashMap<>();
        digesters.put("", KeyedDigest.PLAIN); // for records from before there was a secret
        for (String other : Objects.requireNonNullElse(configuration.getOtherSecrets(), List.<String>of())) {
            KeyedDigest digester = KeyedDigest.of(Configuration.PREFIX + ".other-secrets", other);
            digesters.put(digester.id(), digester);
        }
        String secret = configuration.getSecret();
        KeyedDigest writing =
                secret == null ? KeyedDigest.PLAIN : KeyedDigest.of(Configuration.PREFIX + ".secret", secret);
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
                .orElseThrow(() -> new ConfigurationException(Configuration.PREFIX + ".version: " + number
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

    /** {@code idempotency.fingerprint.*}. */
    @ConfigurationProperties(Configuration.PREFIX)
    interface Configuration {

        String PREFIX = "idempotency.fingerprint";

        /**
         * The secret, of at least 16 characters, that keys the fingerprints and the marks of callers that this node writes; left
         * out, they are plain digests.
         */
        @io.micronaut.core.annotation.Nullable
        String getSecret();

        /**
         * Secrets under which this node can also compare: those before {@code secret}, and the next one before it is in use (at
         * least 16 characters each).
         */
        @io.micronaut.core.annotation.Nullable
        List<String> getOtherSecrets();

        /**
         * The secret that keys the ids of records, the digests of credentials and derived keys. It is part of every key's identity: with
         * another one every key is a new one, so it is never changed while a record is kept. At least 16 characters, the same on
         * every node; left out, they are plain digests.
         */
        @io.micronaut.core.annotation.Nullable
        String getIdentitySecret();

        /** The version of the canonical form in which this node writes fingerprints; left out, the newest. */
        @io.micronaut.core.annotation.Nullable
        Integer getVersion();
    }
}
