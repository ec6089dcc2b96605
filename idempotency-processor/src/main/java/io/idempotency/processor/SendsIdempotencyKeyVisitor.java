package io.idempotency.processor;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.SenderRule;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks every {@link SendsIdempotencyKey} method. Nothing is generated for it: its interceptor reads the annotation. */
public final class SendsIdempotencyKeyVisitor implements TypeElementVisitor<Object, Object> {

    private @Nullable Problems problems;

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of(SendsIdempotencyKey.class.getName());
    }

    @Override
    public void start(VisitorContext context) {
        problems = new Problems(context);
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        Problems reports = problems == null ? new Problems(context) : problems;
        if (element.hasDeclaredStereotype(SendsIdempotencyKey.class)) {
            SenderRule.check(element, reports);
        }
        List<MethodElement> sending = element.getEnclosedElements(
                ElementQuery.ALL_METHODS.annotated(method -> method.hasStereotype(SendsIdempotencyKey.class)));
        for (MethodElement method : sending) {
            reports.reading(method, () -> new SenderRule(element, method, reports).check());
        }
    }
}
