package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.AnnotationPlace;
import io.idempotency.processor.model.CompilerModel;
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

/** Reports what the rules find, at the element or the annotation's value that has to be changed, and each thing once. */
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
        severities.mistakes().forEach(mistake -> context.fail(mistake, null));
    }

    /** A report at an operation's method. A method from a class file has no line, so every message names it. */
    public Report of(RuleId id, Operation operation) {
        String origin = operation.method().origin();
        Report report = new Report(
                id,
                origin,
                operation.method().label() + ": ",
                operation.method().declaration());
        return report.at(operation.method().method());
    }

    /** A report at the value that the operation's annotation gives an attribute, if it gives one. */
    Report of(RuleId id, Operation operation, String attribute) {
        return of(id, operation).at(IdempotentOperation.class, attribute);
    }

    /** A report about something that belongs to no operation. */
    public Report of(RuleId id, Element element) {
        return new Report(id, "", "", element);
    }

    /** One report, which has to be said. */
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

        /** Reports at the value that an annotation gives a member, if it gives one. */
        Report at(Class<? extends Annotation> annotation, String member) {
            place = AnnotationPlace.of(annotated, annotation, member, context);
            return this;
        }

        /** Reports at one of the classes that the operation's annotation lists in an attribute. */
        Report at(String attribute, String className) {
            place = at(IdempotentOperation.class, attribute).place.map(list -> list.item(className.replace('$', '.')));
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

    /** Does something that reads the model, and reports at an element what that throws. */
    public void reading(Element element, Runnable reads) {
        Unreadable.run(
                reads,
                why -> of(RuleId.UNREADABLE_TYPE, element).say(element.getName() + " has a type in it: " + why + "."));
    }

    public int errors() {
        return errors;
    }
}
