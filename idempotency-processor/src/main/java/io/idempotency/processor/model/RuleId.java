package io.idempotency.processor.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the compiler reports, each by an id that stays: it is written in {@code @SuppressWarnings("idempotency:<id>")},
 * in options of builds and in addresses of the documentation.
 */
public enum RuleId {
    INTERCEPTABLE_METHOD(Severity.PROTECTION),
    OPERATION_ON_CLASS(Severity.PROTECTION),
    DEFINITION_CLASH(Severity.PROTECTION),
    NO_BEAN(Severity.PROTECTION),
    NO_IMPLEMENTATION(Severity.WARNING),
    NO_PROXY(Severity.PROTECTION),
    SELF_INVOCATION(Severity.WARNING),
    TWO_KEYS(Severity.PROTECTION),
    KEY_PATH(Severity.PROTECTION),
    CONSTANT_KEY(Severity.WARNING),
    FLOATING_KEY(Severity.WARNING),
    NOTHING_READS(Severity.WARNING),
    UNFINGERPRINTABLE_ARGUMENT(Severity.PROTECTION),
    UNREADABLE_TYPE(Severity.PROTECTION),
    OPEN_ARGUMENT(Severity.WARNING),
    SUBCLASSED_ARGUMENT(Severity.WARNING),
    GENERATED_PROPERTY(Severity.WARNING),
    UNCOMPARED_BODY(Severity.PROTECTION),
    UNREPLAYABLE_RESULT(Severity.PROTECTION),
    INEXACT_RESULT(Severity.ERROR),
    UNSERIALIZABLE_RESULT(Severity.ERROR),
    UNKNOWN_SERIALIZER(Severity.WARNING),
    OPERATION_NAME(Severity.PROTECTION),
    NAME_TAKEN(Severity.PROTECTION),
    LIBRARY_NAME(Severity.WARNING),
    DURATION(Severity.PROTECTION),
    RETENTION(Severity.PROTECTION),
    SHORT_LEASE(Severity.WARNING),
    FAILURE_TYPES(Severity.PROTECTION),
    RETRIED_FAILURE(Severity.WARNING),
    LOST_MESSAGES(Severity.WARNING),
    TRANSACTION(Severity.PROTECTION),
    ANSWERING_METHOD(Severity.PROTECTION),
    NO_RECONCILER(Severity.WARNING),
    NEVER_ASKED(Severity.WARNING),
    SENT_KEY(Severity.PROTECTION),
    SENT_KEY_ADVICE(Severity.WARNING);

    /** What precedes an id in {@code @SuppressWarnings}. */
    public static final String PREFIX = "idempotency:";

    private static final String PAGE = "docs/compile-time.md#";

    private final Severity usual;

    RuleId(Severity usual) {
        this.usual = usual;
    }

    /** How grave a report is. Protection, which keeps a body from running twice or answering for another, is always an error. */
    public enum Severity {
        PROTECTION,
        ERROR,
        WARNING,
        OFF
    }

    /** What it is unless the build or the sources say otherwise. */
    public Severity usual() {
        return usual;
    }

    /** As it is written: an identifier, since javac takes no other names in options. */
    public String id() {
        String[] words = name().toLowerCase(Locale.ROOT).split("_");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining());
    }

    /** What follows each report: the id, and where it is explained. */
    public String reference() {
        return "\n    [" + PREFIX + id() + "] " + PAGE + id();
    }

    public static Optional<RuleId> of(String id) {
        return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
    }
}
