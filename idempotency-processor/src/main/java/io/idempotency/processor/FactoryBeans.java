package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Beans that a {@code @Factory} makes. Micronaut intercepts such a bean only where the producing method or the bean's
 * class carries advice: advice on the bean's methods alone is ignored. So the producing method gets it.
 */
final class FactoryBeans {

    private static final String AROUND = "io.micronaut.aop.Around";
    private static final String BEAN = "io.micronaut.context.annotation.Bean";
    private static final List<String> PRODUCING = List.of(BEAN, "jakarta.inject.Scope");

    private FactoryBeans() {}

    static boolean isConcrete(ClassElement type) {
        return !(type.isInterface() || type.isAbstract());
    }

    /** An interface or an abstract class is a bean only where an introduction implements it. */
    static boolean mayBeBean(ClassElement type) {
        return isConcrete(type) || type.hasStereotype("io.micronaut.aop.Introduction");
    }

    /** A type with idempotent operations that a factory makes, and why there is no proxy unless a rule of its own says that. */
    record Product(ClassElement type, Optional<String> problem) {}

    /** What a class makes if it is a factory; where told so, has the beans with operations intercepted. */
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
        boolean isBean = PRODUCING.stream().anyMatch(member::hasDeclaredStereotype);
        if (isBean
                && !type.isPrimitive()
                && !type.isArray()
                && !operations(type).isEmpty()) {
            // advice that the author wrote is the author's to make possible, and Micronaut's to check
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

    /** Otherwise Micronaut would complain about advice that its author never wrote, or make a class that never loads. */
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
                                                || Accessors.isVisible(each, factory.getPackageName()))));
    }

    /** The idempotent methods of a type, inherited ones included. */
    static List<MethodElement> operations(ClassElement type) {
        return type.getEnclosedElements(
                ElementQuery.ALL_METHODS.annotated(method -> method.hasStereotype(IdempotentOperation.class)));
    }
}
