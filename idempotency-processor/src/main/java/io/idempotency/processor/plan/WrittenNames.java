package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.Accessor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.SourceVersion;

/** The names under which values stand in a fingerprint: each is a name, and no two of one structure are the same. */
final class WrittenNames {

    private final Map<String, String> taken = new HashMap<>();

    /** What is wrong with that of one more value. */
    Optional<String> problem(Accessor value) {
        String name = value.name();
        String written = value.written();
        if (!SourceVersion.isIdentifier(written)) {
            return Optional.of("@FingerprintName(\"" + written + "\") of '" + name
                    + "' is no name of a parameter or property. Write the former name of '" + name + "'.");
        }
        return Optional.ofNullable(taken.putIfAbsent(written, name))
                .map(other -> "'" + other + "' and '" + name + "' are both written as '" + written
                        + "', so that nobody can tell which is which. Give one of them another @FingerprintName.");
    }
}
