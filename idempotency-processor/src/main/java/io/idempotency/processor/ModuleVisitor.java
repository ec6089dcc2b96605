package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.Reconciles;
import io.idempotency.Reloads;
import io.idempotency.processor.model.ModuleMemory;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation;
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
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the classes of a module with each other. Aggregating, so that Gradle hands over the annotated classes, too,
 * that it does not compile again; of those that an IDE does not compile again the names are remembered.
 */
public final class ModuleVisitor implements TypeElementVisitor<Object, Object> {

    private final SeenClasses seen = new SeenClasses();
    private List<OperationRule> rules = List.of();
    private @Nullable Problems problems;
    private final TreeSet<String> annotated = new TreeSet<>();
    private boolean remembered;

    /** KSP's classes can be read in their own round only, and again by name when all are over. */
    private final Set<String> later = new TreeSet<>();

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
        rules = Rules.ofModule(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        if (context.getLanguage() == VisitorContext.Language.KOTLIN) {
            later.add(element.getName());
        } else {
            look(element, context);
        }
    }

    private void look(ClassElement element, VisitorContext context) {
        boolean matters = seen.add(element);
        for (FactoryBeans.Product product : FactoryBeans.of(element, false)) {
            matters |= visit(product.type(), true, context);
        }
        boolean isOperationItself = element.hasStereotype(IdempotentOperation.class);
        if (FactoryBeans.mayBeBean(element) && !isOperationItself) {
            matters |= visit(element, false, context);
        } else if (!isOperationItself) {
            matters |= seen.addContract(element);
        }
        if (matters) {
            annotated.add(element.getName());
        }
    }

    private boolean visit(ClassElement owner, boolean produced, VisitorContext context) {
        List<MethodElement> operations = FactoryBeans.operations(owner);
        for (MethodElement method : operations) {
            reports(context).reading(method, () -> {
                Operation outline = Planner.outline(OperationMethod.of(owner, method, produced));
                rules.forEach(rule -> rule.check(outline, reports(context)));
            });
        }
        return !operations.isEmpty();
    }

    @Override
    public void finish(VisitorContext context) {
        if (!remembered) {
            remembered = true;
            Stream<String> before = ModuleMemory.read(context).stream().filter(name -> !seen.contains(name));
            Stream.concat(later.stream(), before)
                    .flatMap(name -> context.getClassElement(name).stream())
                    .forEach(type -> look(type, context));
            ModuleMemory.write(annotated, context);
        }
        rules.forEach(
                rule -> Unreadable.run(() -> rule.finish(seen, reports(context)), why -> context.fail(why, null)));
    }

    private Problems reports(VisitorContext context) {
        return problems == null ? new Problems(context) : problems;
    }
}
