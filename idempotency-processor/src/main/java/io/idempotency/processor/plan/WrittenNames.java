package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.OperationParameter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/** The names under which values stand in a fingerprint: each is a name, and no two of one structure are the same. */
final class WrittenNames {

    private final Map<String, String> taken = new HashMap<>();

    private WrittenNames() {}

    /** What is wrong with those of a structure. */
    static Optional<String> problem(List<Accessor> properties) {
        WrittenNames names = new WrittenNames();
        return properties.stream()
                .map(property -> names.problem(property.name(), property.written()))
                .filter(problem -> problem != null)
                .findFirst();
    }

    /** What is wrong with those of a method's parameters. */
    static Optional<String> problemOf(List<OperationParameter> parameters, OperationParameter last) {
        WrittenNames names = new WrittenNames();
        return parameters.stream()
                .map(parameter -> {
                    String problem = names.problem(parameter.name(), parameter.written());
                    return parameter.equals(last) ? problem : null;
                })
                .filter(problem -> problem != null)
                .findFirst();
    }

    private @Nullable String problem(String name, String written) {
        if (!SourceVersion.isIdentifier(written)) {
            return "@FingerprintName(\"" + written + "\") of '" + name
                    + "' is no name of a parameter or property. Write the former name of '" + name + "'.";
        }
        String other = taken.putIfAbsent(written, name);
        return other == null
                ? null
                : "'" + other + "' and '" + name + "' are both written as '" + written
                        + "', so that nobody can tell which is which. Give one of them another @FingerprintName.";
    }
}
