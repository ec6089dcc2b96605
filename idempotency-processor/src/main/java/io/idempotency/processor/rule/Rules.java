package io.idempotency.processor.rule;

import io.idempotency.processor.model.CompilerModel;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;

/** All rules, in the order of their reports. */
public final class Rules {

    /** The processor option that says that a library is built: {@code -Amicronaut.idempotency.library=true}. */
    public static final String LIBRARY_OPTION = "micronaut.idempotency.library";

    private Rules() {}

    /** The rules of one operation, whatever else is compiled. */
    public static List<OperationRule> of(VisitorContext context) {
        return List.of(
                new InterceptableMethodRule(),
                new SelfInvocationRule(context),
                new KeyRule(),
                new ArgumentRule(),
                new ReplayableResultRule(context),
                new OperationNameRule(isLibrary(context)),
                new DurationRule(),
                new UnreadRule(),
                new ListenerRule(),
                new FailureRule(context),
                new TransactionRule());
    }

    /** The rules that compare the classes of a module with each other, and report when all of them were seen. */
    public static List<OperationRule> ofModule(VisitorContext context) {
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
