package io.idempotency.processor.rule.name;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;

/**
 * An operation of a library has a name, since the class and method that would name it otherwise are the library's to
 * rename, while the records are its users'. That a library is built is said by a processor option: nothing in the
 * sources tells one from a module of an application.
 */
public final class LibraryNameRule implements OperationRule {

    private final boolean library;

    /** For a library or for an application. */
    public LibraryNameRule(boolean library) {
        this.library = library;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        if (library && !operation.method().isNamed()) {
            problems.report(
                    RuleId.LIBRARY_NAME,
                    operation,
                    "an operation of a library needs a name of its own, or renaming the method forgets what the"
                            + " library's users have recorded under '"
                            + operation.method().name()
                            + "'. Write @IdempotentOperation(\"…\").");
        }
    }
}
