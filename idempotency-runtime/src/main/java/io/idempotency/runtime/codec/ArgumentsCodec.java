package io.idempotency.runtime.codec;

import io.idempotency.NotFingerprinted;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes and decodes the arguments that claims keep, by parameter name, each by the codec of its type. They are sealed
 * under a record id of their own, so that they cannot be passed off as the call's outcome. Thread-safe.
 */
@Singleton
public final class ArgumentsCodec {

    private static final Logger LOG = LoggerFactory.getLogger(ArgumentsCodec.class);

    private final ResultCodecs codecs;
    private final Map<String, List<Parameter>> operations = new ConcurrentHashMap<>();

    ArgumentsCodec(ResultCodecs codecs) {
        this.codecs = codecs;
    }

    private record Parameter(int index, String name, ResultCodec codec) {}

    /**
     * Prepares an operation whose claims keep arguments; does nothing for any other.
     *
     * @param parameters in order; parameters that are not fingerprinted are not kept either
     * @throws ConfigurationException when a parameter's type cannot be encoded and decoded
     */
    public void learn(Operation operation, String origin, List<Argument<?>> parameters) {
        if (!operation.keepsArguments()) {
            return;
        }
        List<Parameter> kept = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            Argument<?> parameter = parameters.get(i);
            if (!parameter.getAnnotationMetadata().hasAnnotation(NotFingerprinted.class)) {
                require(operation, origin, parameter);
                kept.add(new Parameter(i, parameter.getName(), codecs.codecFor(operation.name(), parameter)));
            }
        }
        operations.put(operation.name(), List.copyOf(kept));
    }

    private void require(Operation operation, String origin, Argument<?> parameter) {
        String problem = codecs.problemWith(parameter);
        if (problem != null) {
            throw new ConfigurationException("Operation '" + operation.name() + "' (" + origin
                    + ") has storeArguments = true and its parameter '" + parameter.getName()
                    + "' cannot be stored: " + problem
                    + ". No body ran. Or annotate it @NotFingerprinted, and it is left"
                    + " out.");
        }
    }

    /**
     * Encodes and seals the arguments of a call for its claim. Returns null when the operation keeps none, or when they
     * cannot be encoded or are too large: then the call goes on without them.
     */
    public @Nullable StoredArguments of(Operation operation, RecordId id, @Nullable Object[] arguments) {
        List<Parameter> kept = operations.get(operation.name());
        if (kept == null) {
            return null;
        }
        String problem;
        try {
            byte[] sealed = operation.seal().seal(sealedFor(id), written(kept, arguments));
            if (sealed.length <= StoredArguments.MAX_BYTES) {
                return new StoredArguments(sealed);
            }
            problem = "they have " + sealed.length + " bytes, and the most is " + StoredArguments.MAX_BYTES;
        } catch (IOException | RuntimeException e) {
            problem = "they could not be written: " + e.getClass().getName();
        }
        LOG.warn(
                "Idempotent operation '{}' [key {}]: its arguments are not kept: {}. If this run is abandoned, its reconciler"
                        + " is asked without them",
                operation.name(),
                id,
                problem);
        return null;
    }

    private static byte[] written(List<Parameter> kept, @Nullable Object[] arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (Parameter parameter : kept) {
            byte[] value = parameter.codec().encode(arguments[parameter.index()]);
            out.writeUTF(parameter.name());
            out.writeInt(value.length);
            out.write(value);
        }
        return bytes.toByteArray();
    }

    /**
     * Returns the arguments that an open record keeps, by parameter name, without parameters that this version of the
     * application lacks. Empty when none are kept or they cannot be read.
     */
    public Map<String, @Nullable Object> in(Operation operation, StoredRecord record) {
        StoredArguments stored = record.arguments();
        List<Parameter> known = operations.getOrDefault(operation.name(), List.of());
        if (stored == null || known.isEmpty()) {
            return Map.of();
        }
        try {
            byte[] opened = operation.seal().open(sealedFor(record.id()), stored.bytes());
            return Collections.unmodifiableMap(read(known, opened));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: its kept arguments cannot be read, and its reconciler is asked"
                            + " without them: {}",
                    operation.name(),
                    record.id(),
                    e.getClass().getName());
            return Map.of();
        }
    }

    private static Map<String, @Nullable Object> read(List<Parameter> known, byte[] opened) throws IOException {
        Map<String, @Nullable Object> values = new TreeMap<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(opened));
        while (in.available() > 0) {
            String name = in.readUTF();
            byte[] value = in.readNBytes(in.readInt());
            for (Parameter parameter : known) {
                if (parameter.name().equals(name)) {
                    values.put(name, parameter.codec().decode(value));
                }
            }
        }
        return values;
    }

    private static RecordId sealedFor(RecordId id) {
        return new RecordId(id.derive("arguments"));
    }
}
