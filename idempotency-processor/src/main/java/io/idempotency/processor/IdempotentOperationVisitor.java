package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.LibraryVersion;
import io.idempotency.processor.messaging.KafkaListening;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.Planner;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import io.idempotency.processor.rule.Severities;
import io.idempotency.processor.rule.argument.StrayMarks;
import io.idempotency.processor.source.DefinitionSource;
import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.processing.ProcessingException;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import io.micronaut.inject.writer.GeneratedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks every {@link IdempotentOperation} method, generates its definition and names it on the method. Found by
 * Micronaut through {@code META-INF/services}; one instance per compilation.
 */
public final class IdempotentOperationVisitor implements TypeElementVisitor<Object, Object> {

    private static final String CLASH =
            "another bean of this class, with other type arguments or another class of almost"
                    + " the same name, has the definition that would be generated here, and its calls would be taken for this"
                    + " one's. Give each bean a class of its own (a subclass without type parameters), or rename one.";

    private final Map<String, String> generated = new HashMap<>();
    private List<OperationRule> rules = List.of();
    private @Nullable Problems problems;
    private @Nullable Planner planner;

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        Set<String> names = new HashSet<>(StrayMarks.ANNOTATIONS);
        names.add(IdempotentOperation.class.getName());
        return names;
    }

    @Override
    public Set<String> getSupportedOptions() {
        Set<String> options = new HashSet<>(Severities.options());
        options.addAll(Set.of(Rules.LIBRARY_OPTION, Planner.SKIP_OPTION));
        return options;
    }

    @Override
    public void start(VisitorContext context) {
        Problems reports = new Problems(context);
        reports.checkOptions();
        problems = reports;
        planner = new Planner(context);
        rules = Rules.of(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        reports(context).reading(element, () -> look(element, context));
    }

    private void look(ClassElement element, VisitorContext context) {
        new StrayMarks(reports(context)).check(element);
        if (FactoryBeans.isFactory(element)) {
            FactoryBeans.intercepted(element).forEach(product -> visit(product, context));
        }
        if (FactoryBeans.isConcrete(element) && element.hasStereotype(IdempotentOperation.class)) {
            reports(context)
                    .report(
                            RuleId.OPERATION_ON_CLASS,
                            "An annotation that carries @IdempotentOperation belongs on methods: each is an operation of its"
                                    + " own, with its own key. Move it from the class to the methods.",
                            element);
        } else if (FactoryBeans.mayBeBean(element) && !isOpen(element)) {
            visit(element, false, Optional.empty(), context);
        }
    }

    private void visit(FactoryBeans.Product product, VisitorContext context) {
        visit(product.type(), true, product.problem(), context);
    }

    private void visit(ClassElement owner, boolean produced, Optional<String> problem, VisitorContext context) {
        List<OperationMethod> methods = new ArrayList<>();
        for (MethodElement method : FactoryBeans.operations(owner)) {
            reports(context).reading(method, () -> methods.add(OperationMethod.of(owner, method, produced)));
        }
        List<Operation> sound = new ArrayList<>();
        for (Operation operation : planner(context).plan(methods)) {
            if (check(operation, problem, context)) {
                sound.add(operation);
            }
        }
        // Micronaut itself refuses a bean in no package
        if (!sound.isEmpty() && !owner.getPackageName().isEmpty()) {
            bind(owner, sound, context);
        }
    }

    private Planner planner(VisitorContext context) {
        return planner == null ? new Planner(context) : planner;
    }

    private Problems reports(VisitorContext context) {
        return problems == null ? new Problems(context) : problems;
    }

    private boolean check(Operation operation, Optional<String> problem, VisitorContext context) {
        Problems reports = reports(context);
        int before = reports.errors();
        problem.ifPresent(message -> reports.report(RuleId.NO_PROXY, operation, message));
        rules.forEach(rule -> reports.reading(operation.method().method(), () -> rule.check(operation, reports)));
        return reports.errors() == before;
    }

    private void bind(ClassElement owner, List<Operation> operations, VisitorContext context) {
        DefinitionSource source = DefinitionSource.of(owner);
        String text = source.text(operations);
        String written = generated.putIfAbsent(source.className(), text);
        if (written == null) {
            write(source, text, operations.get(0).method(), context);
        } else if (!written.equals(text)) {
            // a class that waits for another round is visited again, and says the same; anything else is another bean
            operations.forEach(operation -> reports(context).report(RuleId.DEFINITION_CLASH, operation, CLASH));
            return;
        }
        operations.forEach(operation -> KafkaListening.of(operation.method()).ifPresent(KafkaListening::complete));
        operations.forEach(operation -> operation
                .method()
                .method()
                .annotate(
                        IdempotentAdvice.class,
                        advice -> advice.member(
                                        "definition", new AnnotationClassValue<>(source.definition(operation), true))
                                .member("version", LibraryVersion.CURRENT)));
    }

    /** Of a generic class that is no bean by itself, a factory or a subclass says what its type arguments are. */
    private static boolean isOpen(ClassElement type) {
        return !type.getDeclaredGenericPlaceholders().isEmpty() && !SeenClasses.isBean(type);
    }

    private static void write(DefinitionSource source, String text, OperationMethod first, VisitorContext context) {
        file(source, first.owner(), context).ifPresent(file -> {
            try {
                file.write(writer -> writer.write(text));
            } catch (IOException e) {
                throw new ProcessingException(
                        first.method(), "The definition " + source.className() + " could not be written: " + e, e);
            }
        });
    }

    /** Kotlin's symbol processor takes a source file for Kotlin, but Java under any other name. */
    private static Optional<GeneratedFile> file(DefinitionSource source, ClassElement origin, VisitorContext context) {
        return context.getLanguage() == VisitorContext.Language.KOTLIN
                ? context.visitGeneratedFile(source.className().replace('.', '/') + ".java", origin)
                : context.visitGeneratedSourceFile(source.packageName(), source.simpleName(), origin);
    }
}
