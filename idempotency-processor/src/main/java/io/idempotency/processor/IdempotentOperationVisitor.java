package io.idempotency.processor;

import com.palantir.javapoet.ClassName;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.LibraryVersion;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.KafkaListening;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.Planner;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.SeenClasses;
import io.idempotency.processor.rule.SenderRule;
import io.idempotency.processor.rule.Severities;
import io.idempotency.processor.rule.StrayMarks;
import io.idempotency.processor.source.DefinitionSource;
import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.processing.ProcessingException;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import io.micronaut.inject.writer.GeneratedFile;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks every {@link IdempotentOperation} and {@link SendsIdempotencyKey} method, and generates the definitions of
 * operations. Micronaut finds it in {@code META-INF/services} and makes one for each compilation.
 */
@SuppressWarnings("NullAway.Init") // start comes first
public final class IdempotentOperationVisitor implements TypeElementVisitor<Object, Object> {

    private static final String CLASH =
            "another bean of this class, with other type arguments or another class of almost the same name, has the"
                    + " definition that would be generated here, and its calls would be taken for this one's. Give each"
                    + " bean a class of its own (a subclass without type parameters), or rename one.";

    private final Map<ClassName, String> generated = new HashMap<>();
    private final SeenClasses seen = new SeenClasses();
    private final List<Operation> operations = new ArrayList<>();
    private List<OperationRule> rules = List.of();
    private Problems problems;
    private Planner planner;

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        Set<String> names = new HashSet<>(StrayMarks.ANNOTATIONS);
        names.addAll(Set.of(IdempotentOperation.class.getName(), SendsIdempotencyKey.class.getName()));
        return names;
    }

    @Override
    public Set<String> getSupportedOptions() {
        Set<String> options = new HashSet<>(Severities.options());
        options.addAll(Set.of(OperationRule.LIBRARY_OPTION, Planner.SKIP_OPTION));
        return options;
    }

    @Override
    public void start(VisitorContext context) {
        problems = new Problems(context);
        problems.checkOptions();
        planner = new Planner(context);
        rules = OperationRule.of(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        problems.reading(element, () -> look(element, context));
    }

    @Override
    public void finish(VisitorContext context) {
        rules.forEach(rule -> rule.finish(operations, seen, problems));
    }

    private void look(ClassElement element, VisitorContext context) {
        seen.note(element);
        new StrayMarks(problems).check(element);
        SenderRule.check(element, problems);
        FactoryBeans.of(element, true).forEach(made -> visit(made.type(), true, made.problem(), context));
        boolean introduced = FactoryBeans.mayBeBean(element) && !FactoryBeans.isConcrete(element);
        if (element.hasStereotype(IdempotentOperation.class)
                && !introduced
                && !element.isAssignable(Annotation.class)) {
            problems.of(RuleId.OPERATION_ON_CLASS, element)
                    .say("An annotation that carries @IdempotentOperation belongs on methods: each is an operation of"
                            + " its own, with its own key. Move it from the class to the methods.");
        } else if (FactoryBeans.mayBeBean(element)
                // otherwise only a factory or a subclass determines the type arguments
                && (element.getDeclaredGenericPlaceholders().isEmpty() || SeenClasses.isBean(element))) {
            visit(element, false, Optional.empty(), context);
        }
    }

    private void visit(ClassElement owner, boolean produced, Optional<String> problem, VisitorContext context) {
        Map<String, State> states = new HashMap<>();
        List<Operation> sound = new ArrayList<>();
        for (MethodElement method : FactoryBeans.operations(owner)) {
            problems.reading(
                    method, () -> sound.add(planner.plan(OperationMethod.of(owner, method, produced), states)));
        }
        sound.removeIf(operation -> !isSound(operation, problem));
        // Micronaut refuses a bean in the unnamed package
        if (!sound.isEmpty() && !owner.getPackageName().isEmpty()) {
            bind(owner, sound, context);
        }
    }

    private boolean isSound(Operation operation, Optional<String> problem) {
        int before = problems.errors();
        operations.add(operation);
        problem.ifPresent(why -> problems.of(RuleId.NO_PROXY, operation).say(why));
        rules.forEach(rule -> problems.reading(operation.method().method(), () -> rule.check(operation, problems)));
        return problems.errors() == before;
    }

    private void bind(ClassElement owner, List<Operation> operations, VisitorContext context) {
        DefinitionSource source = new DefinitionSource(owner);
        String text = source.text(operations);
        String written = generated.putIfAbsent(source.name(), text);
        if (written == null) {
            write(source.name(), text, operations.get(0).method(), context);
        } else if (!written.equals(text)) {
            // a class that is visited again in another round has the same text: another text is another bean's
            operations.forEach(
                    operation -> problems.of(RuleId.DEFINITION_CLASH, operation).say(CLASH));
            return;
        }
        operations.forEach(operation -> KafkaListening.of(operation.method()).ifPresent(KafkaListening::complete));
        for (Operation operation : operations) {
            var definition = new AnnotationClassValue<>(source.definition(operation), true);
            MethodElement method = operation.method().method();
            method.annotate(
                    IdempotentAdvice.class,
                    advice -> advice.member("definition", definition).member("version", LibraryVersion.CURRENT));
            // the run time reads the bean's own parameters, which do not inherit a declaration's marks
            operation.method().parameters().stream()
                    .filter(parameter -> parameter.value().notFingerprinted())
                    .forEach(parameter -> parameter.element().annotate(NotFingerprinted.class));
        }
    }

    private static void write(ClassName name, String text, OperationMethod first, VisitorContext context) {
        Optional<GeneratedFile> file =
                context.visitGeneratedSourceFile(name.packageName(), name.simpleName(), first.owner());
        try {
            if (file.isPresent()) {
                file.get().write(writer -> writer.write(text));
            }
        } catch (IOException e) {
            throw new ProcessingException(first.method(), "The definition " + name + " could not be written: " + e, e);
        }
    }
}
