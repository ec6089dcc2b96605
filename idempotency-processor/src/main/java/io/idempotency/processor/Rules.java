package io.idempotency.processor;

import io.idempotency.processor.model.CompilerOptions;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.answer.AnsweringBeanRule;
import io.idempotency.processor.rule.answer.ReconcilerRule;
import io.idempotency.processor.rule.answer.ReloaderRule;
import io.idempotency.processor.rule.argument.FingerprintableArgumentsRule;
import io.idempotency.processor.rule.argument.RequestBodyRule;
import io.idempotency.processor.rule.argument.UnreadRule;
import io.idempotency.processor.rule.bean.BeanRule;
import io.idempotency.processor.rule.bean.InterceptableMethodRule;
import io.idempotency.processor.rule.bean.SelfInvocationRule;
import io.idempotency.processor.rule.bean.UnimplementedRule;
import io.idempotency.processor.rule.key.ArgumentKeyRule;
import io.idempotency.processor.rule.key.KafkaListenerRule;
import io.idempotency.processor.rule.key.KeyPathRule;
import io.idempotency.processor.rule.key.RabbitListenerRule;
import io.idempotency.processor.rule.key.SingleKeyRule;
import io.idempotency.processor.rule.name.LibraryNameRule;
import io.idempotency.processor.rule.name.OperationNameRule;
import io.idempotency.processor.rule.name.UniqueNameRule;
import io.idempotency.processor.rule.policy.DurationRule;
import io.idempotency.processor.rule.policy.FailureTypesRule;
import io.idempotency.processor.rule.policy.RetentionRule;
import io.idempotency.processor.rule.policy.RetriedFailureRule;
import io.idempotency.processor.rule.policy.TransactionRule;
import io.idempotency.processor.rule.result.ReplayableResultRule;
import io.idempotency.processor.rule.result.SerializableResultRule;
import io.idempotency.processor.rule.result.SubclassedResultRule;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;

/** All rules. */
final class Rules {

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
                new RabbitListenerRule(),
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
