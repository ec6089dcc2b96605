package io.idempotency.processor.rule;

import io.idempotency.processor.model.CompilerOptions;
import io.idempotency.processor.model.Subtypes;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;

/** All rules. */
public final class Rules {

    /** The processor option that says that a library is built: {@code -Amicronaut.idempotency.library=true}. */
    public static final String LIBRARY_OPTION = "micronaut.idempotency.library";

    private Rules() {}

    /** The rules of one operation, whatever else is compiled, in the order of their reports. */
    public static List<OperationRule> of(VisitorContext context) {
        return List.of(
                new InterceptableMethodRule(),
                new SelfInvocationRule(context),
                new SingleKeyRule(),
                new KeyPathRule(),
                new ArgumentKeyRule(),
                new FingerprintableArgumentsRule(),
                new RequestBodyRule(),
                new ReplayableResultRule(new Subtypes(context)),
                new OperationNameRule(),
                new LibraryNameRule(isLibrary(context)),
                new DurationRule(),
                new RetentionRule(),
                new UnreadRule(),
                new RetriedFailureRule(),
                new KafkaListenerRule(),
                new FailureTypesRule(context::getClassElement),
                new TransactionRule());
    }

    private static boolean isLibrary(VisitorContext context) {
        return Boolean.parseBoolean(CompilerOptions.of(context).get(LIBRARY_OPTION));
    }

    /** The rules that compare the classes of a module with each other, and report when all of them were seen. */
    public static List<OperationRule> ofModule(VisitorContext context) {
        boolean serde = context.getClassElement(SerializableResultRule.MARKER).isPresent();
        return List.of(
                new BeanRule(),
                new UnimplementedRule(isLibrary(context)),
                new UniqueNameRule(),
                new SubclassedResultRule(new Subtypes(context)),
                new SerializableResultRule(serde),
                new AnsweringBeanRule(),
                new ReconcilerRule(),
                new ReloaderRule());
    }
}
