package io.idempotency.processor.rule;

import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;

/** One requirement of operations. There is one instance for each compilation. */
public interface OperationRule {

    /** The processor option for building a library: {@code -Amicronaut.idempotency.library=true}. */
    String LIBRARY_OPTION = "micronaut.idempotency.library";

    default void check(Operation operation, Problems problems) {}

    /** Checks what depends on all classes. Called at the end of every round; each report appears once. */
    default void finish(List<Operation> operations, SeenClasses compilation, Problems problems) {}

    /** Returns the rules that look at one operation alone, in the order of their reports. */
    static List<OperationRule> of(VisitorContext context) {
        return List.of(
                new InterceptableMethodRule(),
                new SelfInvocationRule(context),
                new KeyRule(),
                new ArgumentRule(),
                new ReplayableResultRule(new Subtypes(context)),
                new OperationNameRule(isLibrary(context)),
                new DurationRule(),
                new UnreadRule(),
                new ListenerRule(),
                new FailureRule(context),
                new TransactionRule());
    }

    /** Returns the rules that compare the classes of a module with each other. */
    static List<OperationRule> ofModule(VisitorContext context) {
        return List.of(
                new BeanRule(isLibrary(context)),
                new UniqueNameRule(),
                new RecordedTypesRule(context),
                new AnsweringRule());
    }

    private static boolean isLibrary(VisitorContext context) {
        return Boolean.parseBoolean(CompilerModel.options(context).get(LIBRARY_OPTION));
    }
}
