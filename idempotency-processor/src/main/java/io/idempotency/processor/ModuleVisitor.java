package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.Reconciles;
import io.idempotency.Reloads;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Planner;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.Rules;
import io.idempotency.processor.rule.SeenClasses;
import io.micronaut.context.annotation.Factory;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the classes of a module with each other. Aggregating, so that a build that compiles one file again hands over
 * the annotated classes that it does not compile, too. Generates and changes nothing.
 */
public final class ModuleVisitor implements TypeElementVisitor<Object, Object> {

    private final SeenClasses seen = new SeenClasses();
    private List<OperationRule> rules = List.of();
    private @Nullable Problems problems;
    private @Nullable Planner planner;

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.AGGREGATING;
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of(
                IdempotentOperation.class.getName(),
                Reconciles.class.getName(),
                Reloads.class.getName(),
                Factory.class.getName());
    }

    @Override
    public void start(VisitorContext context) {
        problems = new Problems(context);
        planner = new Planner(context);
        rules = Rules.ofModule(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        seen.add(element);
        if (FactoryBeans.isFactory(element)) {
            FactoryBeans.of(element).forEach(product -> visit(product.type(), true, context));
        }
        boolean isOperationItself = element.hasStereotype(IdempotentOperation.class);
        if (FactoryBeans.mayBeBean(element) && !isOperationItself) {
            visit(element, false, context);
        }
    }

    private void visit(ClassElement owner, boolean produced, VisitorContext context) {
        Planner plans = planner == null ? new Planner(context) : planner;
        for (MethodElement method : FactoryBeans.operations(owner)) {
            OperationMethod operation = OperationMethod.of(owner, method, produced);
            rules.forEach(rule -> rule.check(plans.outline(operation), reports(context)));
        }
    }

    @Override
    public void finish(VisitorContext context) {
        rules.forEach(rule -> rule.finish(seen, reports(context)));
    }

    private Problems reports(VisitorContext context) {
        return problems == null ? new Problems(context) : problems;
    }
}
