package io.idempotency.processor.sender;

import io.idempotency.processor.rule.Problems;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;

/** One thing that a method which sends keys must be. Without state. */
public interface SenderRule {

    /**
     * Checks a method.
     *
     * @param method the method
     * @param problems where every violation is reported
     */
    void check(SenderMethod method, Problems problems);

    /**
     * Checks a type that is annotated itself.
     *
     * @param type the type
     * @param problems where every violation is reported
     */
    default void checkType(ClassElement type, Problems problems) {}

    /** All rules, in the order of their reports. */
    static List<SenderRule> all() {
        return List.of(new SentRequestRule(), new SentKeyRule(), new SenderRetryRule());
    }
}
