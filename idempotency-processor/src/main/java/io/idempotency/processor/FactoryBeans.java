package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Beans that a {@code @Factory} makes. Micronaut intercepts such a bean only where the producing method or the bean's
 * class carries advice: advice on the bean's methods alone is ignored. So the producing method gets it.
 */
final class FactoryBeans {

    private static final String FACTORY = "io.micronaut.context.annotation.Factory";
    private static final String INTRODUCTION = "io.micronaut.aop.Introduction";
    private static final String AROUND = "io.micronaut.aop.Around";
    private static final String BEAN = "io.micronaut.context.annotation.Bean";
    private static final List<String> PRODUCING = List.of(BEAN, "jakarta.inject.Scope");

    private FactoryBeans() {}

    static boolean isConcrete(ClassElement type) {
        return !(type.isInterface() || type.isAbstract());
    }

    /** An interface or an abstract class is a bean only where an introduction implements it. */
    static boolean mayBeBean(ClassElement type) {
        return isConcrete(type) || type.hasStereotype(INTRODUCTION);
    }

    static boolean isFactory(ClassElement type) {
        return type.hasStereotype(FACTORY);
    }

    /**
     * A type with idempotent operations that a factory makes.
     *
     * @param type the type
     * @param hasProxy whether its beans are intercepted
     * @param hidden whether its own proxy would not find the bean
     */
    record Product(ClassElement type, boolean hasProxy, boolean hidden) {

        /** Why there is no proxy; empty where there is one, or where a rule of its own says why not. */
        Optional<String> problem() {
            String name = type.getSimpleName().replace('$', '.');
            if (hidden) {
                return Optional.of(
                        "its bean comes from a @Factory that calls it something else by @Bean(typed = …), and"
                                + " is reached through a proxy, which looks for it by its class. Add " + name
                                + ".class to it.");
            }
            return hasProxy || type.isFinal()
                    ? Optional.empty()
                    : Optional.of(
                            "its bean comes from a @Factory and is reached through a proxy, a subclass, which needs"
                                    + " a constructor without parameters that is not private. Add one to "
                                    + name
                                    + ", or make the factory return an interface with"
                                    + " the operation in it, or the class a bean by itself.");
        }
    }

    /** What a factory makes. */
    static List<Product> of(ClassElement factory) {
        return of(factory, (member, hasProxy) -> {});
    }

    /** What a factory makes; has the beans with operations intercepted. */
    static List<Product> intercepted(ClassElement factory) {
        return of(factory, (member, hasProxy) -> {
            if (hasProxy) {
                member.annotate(AROUND);
            }
        });
    }

    private static List<Product> of(ClassElement factory, BiConsumer<MemberElement, Boolean> advice) {
        List<Product> products = new ArrayList<>();
        for (MethodElement method : factory.getEnclosedElements(ElementQuery.ALL_METHODS.onlyConcrete())) {
            add(method, method.getGenericReturnType(), advice, products);
        }
        factory.getEnclosedElements(ElementQuery.ALL_FIELDS)
                .forEach(field -> add(field, field.getGenericType(), advice, products));
        return products;
    }

    private static void add(
            MemberElement member,
            ClassElement type,
            BiConsumer<MemberElement, Boolean> advice,
            List<Product> products) {
        if (PRODUCING.stream().anyMatch(member::hasDeclaredStereotype) && hasOperations(type)) {
            // advice that the author wrote is his to make possible, and Micronaut's to check
            boolean advised = member.hasStereotype(AROUND);
            List<String> typed = List.of(member.stringValues(BEAN, "typed"));
            boolean hidden = !advised && !typed.isEmpty() && !typed.contains(type.getName());
            boolean hasProxy = advised || (!hidden && canHaveProxy(type, member.getDeclaringType()));
            advice.accept(member, hasProxy);
            products.add(new Product(type, hasProxy, hidden));
        }
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
                                .anyMatch(each -> isForSubclass(each, factory)));
    }

    private static boolean isForSubclass(MethodElement constructor, ClassElement factory) {
        return constructor.getParameters().length == 0
                && (constructor.isPublic()
                        || constructor.isProtected()
                        || (!constructor.isPrivate()
                                && constructor
                                        .getDeclaringType()
                                        .getPackageName()
                                        .equals(factory.getPackageName())));
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
