package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.Reconciles;
import io.idempotency.Reloads;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.Planner;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.SeenClasses;
import io.micronaut.context.annotation.Factory;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.processing.Filer;
import javax.annotation.processing.ProcessingEnvironment;
import javax.tools.StandardLocation;

/**
 * Compares the classes of a module with each other. Aggregating, so that Gradle visits unchanged annotated classes too.
 * For IDEs, which compile single files, a file beside javac's generated sources keeps the other classes' names.
 */
@SuppressWarnings("NullAway.Init") // start comes first
public final class ModuleVisitor implements TypeElementVisitor<Object, Object> {

    private static final String MEMORY = "idempotency-module.txt";

    private final SeenClasses seen = new SeenClasses();
    private final List<Operation> operations = new ArrayList<>();
    private List<OperationRule> rules = List.of();
    private Problems problems;
    private final TreeSet<String> annotated = new TreeSet<>();
    private boolean remembered;

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
        rules = OperationRule.ofModule(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        boolean matters = seen.add(element);
        for (FactoryBeans.Product product : FactoryBeans.of(element, false)) {
            matters |= visit(product.type(), true);
        }
        if (!element.hasStereotype(IdempotentOperation.class)) {
            matters |= FactoryBeans.mayBeBean(element) ? visit(element, false) : seen.addContract(element);
        }
        if (matters) {
            annotated.add(element.getName());
        }
    }

    private boolean visit(ClassElement owner, boolean produced) {
        List<MethodElement> methods = FactoryBeans.operations(owner);
        Map<String, State> states = new HashMap<>();
        for (MethodElement method : methods) {
            problems.reading(method, () -> {
                Operation outline = Planner.outline(OperationMethod.of(owner, method, produced), states);
                operations.add(outline);
                rules.forEach(rule -> rule.check(outline, problems));
            });
        }
        return !methods.isEmpty();
    }

    @Override
    public void finish(VisitorContext context) {
        if (!remembered) {
            remembered = true;
            Optional<Filer> filer = CompilerModel.environment(context).map(ProcessingEnvironment::getFiler);
            filer.stream()
                    .flatMap(this::remembered)
                    .flatMap(name -> context.getClassElement(name).stream())
                    .forEach(element -> visitClass(element, context));
            filer.ifPresent(it -> remember(it, context));
        }
        rules.forEach(
                rule -> Unreadable.run(() -> rule.finish(operations, seen, problems), why -> context.fail(why, null)));
    }

    /** Returns the names of the annotated classes of the last build that were not seen in this one. */
    private Stream<String> remembered(Filer filer) {
        try {
            CharSequence text = filer.getResource(StandardLocation.SOURCE_OUTPUT, "", MEMORY)
                    .getCharContent(true);
            return text.toString().lines().filter(name -> !seen.contains(name));
        } catch (IOException e) {
            return Stream.of(); // the first build
        }
    }

    /** Writes the names for the next compilation. */
    private void remember(Filer filer, VisitorContext context) {
        try (Writer file =
                filer.createResource(StandardLocation.SOURCE_OUTPUT, "", MEMORY).openWriter()) {
            file.write(String.join("\n", annotated) + "\n");
        } catch (IOException e) {
            context.warn("The module's annotated classes could not be written down: " + e, null);
        }
    }
}
