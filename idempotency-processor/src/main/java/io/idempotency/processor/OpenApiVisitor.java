package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.openapi.RouteDocumentation;
import io.idempotency.processor.plan.KeyPlan;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;

/**
 * Documents the routes of a service that micronaut-openapi describes: adds the swagger annotations that its authors
 * would have to write to every idempotent operation. Without swagger's annotations on the class path it does nothing.
 */
public final class OpenApiVisitor implements TypeElementVisitor<Object, Object> {

    /** Visitors run in reverse order: this before micronaut-openapi's, which stand between 40 and 200. */
    private static final int BEFORE_OPENAPI = 1000;

    private boolean described;

    @Override
    public void start(VisitorContext context) {
        described =
                context.getClassElement(RouteDocumentation.SWAGGER_OPERATION).isPresent();
    }

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    @Override
    public int getOrder() {
        return BEFORE_OPENAPI;
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of(IdempotentOperation.class.getName());
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        if (described && !element.isInterface()) {
            // what cannot be read is reported where the operation is checked
            FactoryBeans.operations(element)
                    .forEach(method -> Unreadable.run(() -> document(element, method), why -> {}));
        }
    }

    private static void document(ClassElement owner, MethodElement method) {
        OperationMethod operation = OperationMethod.of(owner, method, false);
        if (operation.isRoute()) {
            boolean header = KeyPlan.of(operation).source() == KeySource.HEADER;
            new RouteDocumentation(operation, header).write();
        }
    }
}
