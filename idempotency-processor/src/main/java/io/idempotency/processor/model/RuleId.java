package io.idempotency.processor.model;

import io.micronaut.core.naming.NameUtils;
import java.util.Locale;

/**
 * The ids of reports, which never change: {@code @SuppressWarnings("idempotency:<id>")}, build options and the
 * documentation's addresses contain them.
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

    /** The prefix of an id in {@code @SuppressWarnings}. */
    public static final String PREFIX = "idempotency:";

    private final Severity usual;

    RuleId(Severity usual) {
        this.usual = usual;
    }

    /** The severity of a report. Protection prevents a second run or another call's result, and is always an error. */
    public enum Severity {
        PROTECTION,
        ERROR,
        WARNING,
        OFF
    }

    /** Returns the severity unless the build or the sources choose another. */
    public Severity usual() {
        return usual;
    }

    /** Returns the id in camel case, since javac's options allow identifiers only. */
    public String id() {
        return NameUtils.camelCase(name().toLowerCase(Locale.ROOT));
    }

    /** Returns the end of each report: the id, and where it is explained. */
    public String reference() {
        return "\n    [" + PREFIX + id() + "] docs/compile-time.md#" + id();
    }
}
