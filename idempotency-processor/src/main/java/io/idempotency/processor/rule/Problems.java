package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.AnnotationPlace;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.RuleId.Severity;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.tools.Diagnostic;

/** Reports the findings of the rules, each once, at the element or annotation value to change. */
public final class Problems {

    private final VisitorContext context;
    private final Severities severities;
    private final Set<String> reported = new HashSet<>();
    private int errors;

    public Problems(VisitorContext context) {
        this.context = context;
        this.severities = new Severities(CompilerModel.options(context));
    }

    public void checkOptions() {
        severities.mistakes.forEach(mistake -> context.fail(mistake, null));
    }

    /** Returns a report at an operation's method. A class file has no lines, so every message names the method. */
    public Report of(RuleId id, Operation operation) {
        OperationMethod method = operation.method();
        return new Report(id, method.origin(), method.label() + ": ", method.declaration()).at(method.method());
    }

    /** Returns a report at the value of an attribute of the operation's annotation, if there is one. */
    Report of(RuleId id, Operation operation, String attribute) {
        return of(id, operation).at(IdempotentOperation.class, attribute);
    }

    /** Returns a report about an element that belongs to no operation. */
    public Report of(RuleId id, Element element) {
        return new Report(id, "", "", element);
    }

    /** A report, which {@link #say} makes. */
    public final class Report {
        private final RuleId id;
        private final String origin;
        private final String subject;
        private final Element annotated;
        private Element element;
        private Optional<AnnotationPlace> place = Optional.empty();

        private Report(RuleId id, String origin, String subject, Element element) {
            this.id = id;
            this.origin = origin;
            this.subject = subject;
            this.annotated = element;
            this.element = element;
        }

        public Report at(Element other) {
            element = other;
            return this;
        }

        /** Moves the report to the value of an annotation's member, if there is one. */
        Report at(Class<? extends Annotation> annotation, String member) {
            place = AnnotationPlace.of(annotated, annotation, member, context);
            return this;
        }

        public void say(String message) {
            boolean java = context.getLanguage() == VisitorContext.Language.JAVA;
            Severity severity = severities.of(id, java ? CompilerModel.suppressed(element) : Set.of());
            boolean isError = severity == Severity.PROTECTION || severity == Severity.ERROR;
            errors += isError ? 1 : 0;
            if (severity == Severity.OFF || !reported.add(origin + subject + message)) {
                return;
            }
            String text = subject + message + id.reference();
            if (place.isPresent()) {
                place.get().print(isError ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING, text, context);
            } else if (isError) {
                context.fail(text, element);
            } else {
                context.warn(text, element);
            }
        }
    }

    /** Reads the model, and reports exceptions of the model at an element. */
    public void reading(Element element, Runnable reads) {
        Unreadable.run(
                reads,
                why -> of(RuleId.UNREADABLE_TYPE, element).say(element.getName() + " has a type in it: " + why + "."));
    }

    public int errors() {
        return errors;
    }
}
