package io.idempotency.processor.rule;

import io.idempotency.definition.Similar;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.RuleId.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The severities of reports that the build and the sources choose. */
public final class Severities {

    private static final String OPTION = "micronaut.idempotency.severity.";

    private final Map<RuleId, Severity> chosen = new EnumMap<>(RuleId.class);

    /** The errors in the options. */
    final List<String> mistakes = new ArrayList<>();

    Severities(Map<String, String> options) {
        options.forEach((option, value) -> {
            if (option.startsWith(OPTION)) {
                read(option.substring(OPTION.length()), value);
            }
        });
    }

    /** Returns all options, for which javac asks. */
    public static Set<String> options() {
        return Arrays.stream(RuleId.values()).map(id -> OPTION + id.id()).collect(Collectors.toSet());
    }

    private void read(String id, String value) {
        Optional<RuleId> rule = Arrays.stream(RuleId.values())
                .filter(each -> each.id().equals(id))
                .findFirst();
        Optional<Severity> severity = Stream.of(Severity.ERROR, Severity.WARNING, Severity.OFF)
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst();
        String option = "-A" + OPTION + id + "=" + value;
        if (rule.isEmpty()) {
            List<String> ids = Arrays.stream(RuleId.values()).map(RuleId::id).toList();
            mistakes.add(option + ": no rule has the id " + id + "." + Similar.didYouMean(id, ids));
        } else if (severity.isEmpty()) {
            mistakes.add(option + " is no severity. Write error, warning or off.");
        } else if (rule.get().usual() == Severity.PROTECTION && severity.get() != Severity.ERROR) {
            mistakes.add(option + ": this error keeps calls from running twice or getting another call's result, and"
                    + " stays one. Remove the option.");
        } else {
            chosen.put(rule.get(), severity.get());
        }
    }

    Severity of(RuleId id, Set<String> suppressed) {
        return id.usual() != Severity.PROTECTION && suppressed.contains(RuleId.PREFIX + id.id())
                ? Severity.OFF
                : chosen.getOrDefault(id, id.usual());
    }
}
