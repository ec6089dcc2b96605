package io.idempotency.processor.rule;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the compiler reports, each by an id that stays: it is written in {@code @SuppressWarnings("idempotency:<id>")},
 * in options of builds and in addresses of the documentation.
 */
public enum RuleId {
    /** Calls of the method cannot be intercepted. */
    INTERCEPTABLE_METHOD(Level.PROTECTION),
    /** The annotation is on a class. */
    OPERATION_ON_CLASS(Level.PROTECTION),
    /** Two operations would have one generated definition. */
    DEFINITION_CLASH(Level.PROTECTION),
    /** The operation's class is no bean. */
    NO_BEAN(Level.PROTECTION),
    /** No bean inherits the annotated method. */
    NO_IMPLEMENTATION(Level.WARNING),
    /** A factory's bean cannot have a proxy. */
    NO_PROXY(Level.PROTECTION),
    /** A call from inside passes the proxy by. */
    SELF_INVOCATION(Level.WARNING),
    /** The key is given twice. */
    TWO_KEYS(Level.PROTECTION),
    /** The key's path leads nowhere. */
    KEY_PATH(Level.PROTECTION),
    /** Every call has one key, or one of two. */
    CONSTANT_KEY(Level.WARNING),
    /** The key is a binary fraction. */
    FLOATING_KEY(Level.WARNING),
    /** The annotation says something that nothing reads. */
    NOTHING_READS(Level.WARNING),
    /** The argument has no fingerprint. */
    UNFINGERPRINTABLE_ARGUMENT(Level.PROTECTION),
    /** Micronaut's model cannot read a type in the method. */
    UNREADABLE_TYPE(Level.PROTECTION),
    /** The argument's fingerprint is made of JSON. */
    OPEN_ARGUMENT(Level.WARNING),
    /** The argument's class has subclasses, whose values are refused. */
    SUBCLASSED_ARGUMENT(Level.WARNING),
    /** The argument holds what the database or its mapper sets. */
    GENERATED_PROPERTY(Level.WARNING),
    /** The body of the request is not compared. */
    UNCOMPARED_BODY(Level.PROTECTION),
    /** The result cannot be recorded at all. */
    UNREPLAYABLE_RESULT(Level.PROTECTION),
    /** The result may come back with less in it, or as another type. */
    INEXACT_RESULT(Level.ERROR),
    /** Micronaut Serialization does not know the result. */
    UNSERIALIZABLE_RESULT(Level.ERROR),
    /** Micronaut Serialization may not know the result. */
    UNKNOWN_SERIALIZER(Level.WARNING),
    /** A name is no name. */
    OPERATION_NAME(Level.PROTECTION),
    /** Two operations have one name. */
    NAME_TAKEN(Level.PROTECTION),
    /** An operation of a library has no name. */
    LIBRARY_NAME(Level.WARNING),
    /** A duration is none. */
    DURATION(Level.PROTECTION),
    /** The outcome is forgotten before the claim is over. */
    RETENTION(Level.PROTECTION),
    /** The lease is over before it can be renewed. */
    SHORT_LEASE(Level.WARNING),
    /** The lists of exceptions contradict each other. */
    FAILURE_TYPES(Level.PROTECTION),
    /** A retry around an operation that remembers its failure. */
    RETRIED_FAILURE(Level.WARNING),
    /** A listener of Kafka or RabbitMQ loses messages, repeats one for ever, or has another key for each delivery. */
    LOST_MESSAGES(Level.WARNING),
    /** The body would not run in the record's transaction. */
    TRANSACTION(Level.PROTECTION),
    /** A reconciler or a reloader that cannot answer. */
    ANSWERING_METHOD(Level.PROTECTION),
    /** Nothing reconciles the operation. */
    NO_RECONCILER(Level.WARNING),
    /** A reconciler or a reloader that is never asked. */
    NEVER_ASKED(Level.WARNING),
    /** A key that is to be sent cannot be. */
    SENT_KEY(Level.PROTECTION),
    /** A key that is sent for nothing. */
    SENT_KEY_ADVICE(Level.WARNING);

    /** What precedes an id in {@code @SuppressWarnings}. */
    static final String PREFIX = "idempotency:";

    private static final String PAGE = "docs/compile-time.md#";

    private final Level level;

    RuleId(Level level) {
        this.level = level;
    }

    /** The default severity of a report, and whether it may be changed. */
    enum Level {
        /** An error that keeps a body from running twice, or from answering for another: stays one. */
        PROTECTION,
        /** An error unless its author knows better. */
        ERROR,
        /** A warning. */
        WARNING
    }

    Level level() {
        return level;
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
    String reference() {
        return "\n    [" + PREFIX + id() + "] " + PAGE + id();
    }

    /** The rule of that id. */
    static Optional<RuleId> of(String id) {
        return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
    }
}
