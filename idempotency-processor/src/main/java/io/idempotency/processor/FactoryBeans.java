package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the beans that a {@code @Factory} makes. Micronaut intercepts such a bean only if the producing method or the
 * class carries advice, so the producing method gets it.
 */
final class FactoryBeans {

    private static final String AROUND = "io.micronaut.aop.Around";
    private static final String BEAN = "io.micronaut.context.annotation.Bean";

    private FactoryBeans() {}

    static boolean isConcrete(ClassElement type) {
        return !(type.isInterface() || type.isAbstract());
    }

    /** Tells whether a type may be a bean: an abstract type only if an introduction implements it. */
    static boolean mayBeBean(ClassElement type) {
        return isConcrete(type) || type.hasStereotype("io.micronaut.aop.Introduction");
    }

    /** A type with operations that a factory makes, and why it has no proxy; empty if another rule reports that. */
    record Product(ClassElement type, Optional<String> problem) {}

    /** Lists the products of a factory that have operations. If asked to, makes Micronaut intercept them. */
    static List<Product> of(ClassElement factory, boolean intercept) {
        List<Product> products = new ArrayList<>();
        if (factory.hasStereotype("io.micronaut.context.annotation.Factory")) {
            factory.getEnclosedElements(ElementQuery.ALL_METHODS.onlyConcrete())
                    .forEach(method -> add(method, method.getGenericReturnType(), intercept, products));
            factory.getEnclosedElements(ElementQuery.ALL_FIELDS)
                    .forEach(field -> add(field, field.getGenericType(), intercept, products));
        }
        return products;
    }

    private static void add(MemberElement member, ClassElement type, boolean intercept, List<Product> products) {
        if (member.hasDeclaredStereotype(BEAN, "jakarta.inject.Scope")
                && !type.isPrimitive()
                && !type.isArray()
                && !operations(type).isEmpty()) {
            // Micronaut itself checks advice that the author wrote
            boolean advised = member.hasStereotype(AROUND);
            List<String> typed = List.of(member.stringValues(BEAN, "typed"));
            boolean hidden = !advised && !typed.isEmpty() && !typed.contains(type.getName());
            boolean hasProxy = advised || (!hidden && canHaveProxy(type, member.getDeclaringType()));
            if (hasProxy && intercept) {
                member.annotate(AROUND);
            }
            boolean isFine = hasProxy || (type.isFinal() && !hidden);
            products.add(new Product(type, isFine ? Optional.empty() : Optional.of(problem(type, hidden))));
        }
    }

    private static String problem(ClassElement type, boolean hidden) {
        String name = BoundType.simpleName(type);
        return hidden
                ? "its bean comes from a @Factory that calls it something else by @Bean(typed = …), and is reached through a"
                        + " proxy, which looks for it by its class. Add " + name + ".class to it."
                : "its bean comes from a @Factory and is reached through a proxy, a subclass, which needs a constructor"
                        + " without parameters that is not private. Add one to " + name
                        + ", or make the factory return an interface with the operation in it, or the class a bean by itself.";
    }

    /** Tells whether Micronaut can make a proxy; its own error would name advice that the author never wrote. */
    private static boolean canHaveProxy(ClassElement type, ClassElement factory) {
        boolean takesNothing = type.getPrimaryConstructor()
                .map(constructor -> constructor.getParameters().length == 0)
                .orElse(true);
        return type.isInterface()
                || (!type.isFinal()
                        && takesNothing
                        && type.getEnclosedElements(ElementQuery.CONSTRUCTORS).stream()
                                .anyMatch(each -> each.getParameters().length == 0
                                        && (each.isProtected()
                                                || BoundType.isVisible(each, factory.getPackageName()))));
    }

    /** Returns the operations of a type, including inherited ones, and inherited methods that should be operations. */
    static List<MethodElement> operations(ClassElement type) {
        return type.getEnclosedElements(ElementQuery.ALL_METHODS.filter(method ->
                isOperation(method) || method.getOverriddenMethods().stream().anyMatch(FactoryBeans::isOperation)));
    }

    private static boolean isOperation(MethodElement method) {
        return method.hasStereotype(IdempotentOperation.class);
    }
}
