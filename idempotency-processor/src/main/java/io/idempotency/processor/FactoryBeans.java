package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.List;

/**
 * Beans that a {@code @Factory} makes. Micronaut intercepts such a bean only where the producing method or the bean's
 * class carries advice: advice on the bean's methods alone is ignored. So the producing method gets it.
 */
final class FactoryBeans {

    private static final String FACTORY = "io.micronaut.context.annotation.Factory";
    private static final String AROUND = "io.micronaut.aop.Around";
    private static final List<String> PRODUCING =
            List.of("io.micronaut.context.annotation.Bean", "jakarta.inject.Scope");

    private FactoryBeans() {}

    static boolean isFactory(ClassElement type) {
        return type.hasStereotype(FACTORY);
    }

    /** The types with idempotent operations that a factory makes; has their beans intercepted. */
    static List<ClassElement> of(ClassElement factory) {
        List<ClassElement> products = new ArrayList<>();
        for (MethodElement method : factory.getEnclosedElements(ElementQuery.ALL_METHODS.onlyConcrete())) {
            add(method, method.getGenericReturnType(), products);
        }
        factory.getEnclosedElements(ElementQuery.ALL_FIELDS)
                .forEach(field -> add(field, field.getGenericType(), products));
        return products;
    }

    private static void add(MemberElement member, ClassElement type, List<ClassElement> products) {
        if (PRODUCING.stream().anyMatch(member::hasDeclaredStereotype) && hasOperations(type)) {
            member.annotate(AROUND);
            products.add(type);
        }
    }

    private static boolean hasOperations(ClassElement type) {
        return !type.isPrimitive() && !type.isArray() && !operations(type).isEmpty();
    }

    /** The idempotent methods of a type, inherited ones included. */
    static List<MethodElement> operations(ClassElement type) {
        return type.getEnclosedElements(
                ElementQuery.ALL_METHODS.annotated(method -> method.hasStereotype(IdempotentOperation.class)));
    }
}
