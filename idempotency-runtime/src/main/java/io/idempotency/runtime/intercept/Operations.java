package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.Refusal;
import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.config.OperationAttributes;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.DelegatingBeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.ProxyBeanDefinition;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds each annotated method to its definition and policies, once. */
@Singleton
final class Operations {

    /** By name, because an application without retries does not have the annotation. */
    private static final String RETRYABLE = "io.micronaut.retry.annotation.Retryable";

    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    private static final String HARM =
            " They would share their keys, and one would be answered with the other's results. No body ran. ";

    private final BeanContext context;
    private final OperationBinder binder;
    private final ResultCodecs codecs;
    private final ArgumentsCodec arguments;
    private final Map<Key, Bound> bound = new ConcurrentHashMap<>();
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    /** Whether the start has found nothing wrong. */
    private volatile boolean started;

    private record Owner(OperationDefinition definition, Class<?> beanClass) {}

    /** Methods that two products of a factory inherit are equal, but each has a definition of its own. */
    private record Key(
            ExecutableMethod<?, ?> method, @Nullable Class<?> definition) {

        /** Every call needs the hash, and a method computes its own each time from its name and arguments. */
        @Override
        public int hashCode() {
            return definition == null ? method.hashCode() : definition.hashCode();
        }
    }

    Operations(BeanContext context, OperationBinder binder, ResultCodecs codecs, ArgumentsCodec arguments) {
        this.context = context;
        this.binder = binder;
        this.codecs = codecs;
        this.arguments = arguments;
    }

    Bound of(ExecutableMethod<?, ?> method) {
        Key key = new Key(
                method, method.classValue(IdempotentAdvice.class, "definition").orElse(null));
        Bound known = bound.get(key);
        return known != null ? known : bound.computeIfAbsent(key, missing -> bind(missing.method()));
    }

    /**
     * Returns the operation of a call. Listeners get messages before the application has started: where it will not, they are
     * refused for a while, and go to another node or wait for the next start, rather than to the dead letters.
     *
     * @throws IdempotencyStoreUnavailableException when the operation cannot be used and the application is still starting
     */
    Bound ofCall(ExecutableMethod<?, ?> method) {
        try {
            return of(method);
        } catch (RuntimeException e) {
            if (started) {
                throw e;
            }
            throw Refusal.STORE_UNAVAILABLE.exception(
                    method.getDeclaringType().getSimpleName() + "#" + method.getMethodName(),
                    null,
                    "it was called before the application had started, which it cannot: " + e.getMessage()
                            + " The body did not run. " + Refusal.STORE_UNAVAILABLE.next(),
                    e);
        }
    }

    /** Called when the start has found nothing wrong. */
    void started() {
        started = true;
    }

    private Bound bind(ExecutableMethod<?, ?> method) {
        OperationDefinition definition = GeneratedDefinitions.of(method);
        Class<?> owner = ownerOf(definition, method);
        claim(definition, owner);
        String problem = codecs.problemWith(definition.resultType());
        if (problem != null) { // at the start rather than after a body has run
            throw OperationAttributes.refused(
                    definition, ": its result cannot be recorded and replayed: " + problem + ". No body ran.");
        }
        Bound binding = binder.bind(
                definition,
                codecs.codecFor(definition.name(), definition.resultType()),
                dataSourceOf(method),
                isRetried(method));
        binder.requireOneScope(binding, () -> isReplaced(context, owner));
        arguments.learn(binding.operation(), definition.origin(), parameters(method));
        return binding;
    }

    /** Returns the parameters without a suspend function's continuation. */
    private static List<Argument<?>> parameters(ExecutableMethod<?, ?> method) {
        List<Argument<?>> all = List.of(method.getArguments());
        return method.isSuspend() ? all.subList(0, all.size() - 1) : all;
    }

    static boolean isRetried(ExecutableMethod<?, ?> method) {
        return method.hasStereotype(RETRYABLE);
    }

    /** Returns the bean's class; a factory's product has its inherited methods from their own class. */
    static Class<?> ownerOf(OperationDefinition definition, ExecutableMethod<?, ?> method) {
        Class<?> declaring = method.getDeclaringType();
        String expected = Objects.requireNonNullElse(definition.method(), "");
        int end = expected.indexOf('#');
        String owner = end < 0 ? "" : expected.substring(0, end);
        // by name only where necessary: a native image finds only registered classes by name
        return (owner.equals(declaring.getName())
                        ? Optional.<Class<?>>of(declaring)
                        : ClassUtils.forName(owner, declaring.getClassLoader()).<Class<?>>map(type -> type))
                .filter(type -> declaring.isAssignableFrom(type) && expected.equals(owner + "#" + signature(method)))
                .orElseThrow(() -> new ConfigurationException("Method " + declaring.getName() + "#" + signature(method)
                        + " is bound to the definition " + definition.getClass().getName()
                        + ", which was generated from " + definition.method()
                        + ". Its calls would get another operation's key, fingerprint and results. No body ran. Delete what"
                        + " was compiled of its module and compile it again, with the idempotency-processor of this"
                        + " version; @IdempotentAdvice is not for applications."));
    }

    /** Returns the signature as {@link OperationDefinition#method()} has it, without a continuation. */
    private static String signature(ExecutableMethod<?, ?> method) {
        Class<?>[] types = method.getArgumentTypes();
        return Stream.of(types)
                .limit(method.isSuspend() ? types.length - 1 : types.length)
                .map(type -> type.getTypeName().replace('$', '.'))
                .collect(Collectors.joining(",", method.getMethodName() + "(", ")"));
    }

    /** By name, because an application without transactions does not have the annotation. */
    private static @Nullable String dataSourceOf(ExecutableMethod<?, ?> method) {
        return method.stringValue("io.micronaut.transaction.annotation.Transactional")
                .filter(name -> !name.isEmpty())
                .orElse(null);
    }

    /**
     * Refuses operations that would share keys by mistake: an operation is one method of one bean, unless it declares a
     * namespace. The compiler cannot check this, because it sees one module at a time and no beans.
     */
    private void claim(OperationDefinition definition, Class<?> beanClass) {
        Owner owner = new Owner(definition, beanClass);
        Owner first = owners.putIfAbsent(definition.name(), owner);
        if (first != null && first.definition().getClass() != definition.getClass()) {
            if (isReplaced(context, first.beanClass())) {
                owners.put(definition.name(), owner);
            } else if (!isReplaced(context, beanClass)) {
                requireShared(first.definition(), definition);
            }
        }
        if (!definition.sharesKeys()) {
            requireOneBean(definition, beanClass);
        }
    }

    /**
     * Tells whether no bean of the class is left. Micronaut also processes the methods of replaced beans, which are
     * never called. It decides which bean is replaced only in a lookup by a type that both beans have.
     */
    static boolean isReplaced(BeanContext context, Class<?> beanClass) {
        return beans(context, beanClass, Object.class).isEmpty();
    }

    /** Returns the beans of a class, looked up by a type and by the types that they are declared to expose. */
    private static Set<BeanDefinition<?>> beans(BeanContext context, Class<?> beanClass, Class<?> type) {
        Set<Class<?>> said = context.getBean(AnnotatedBeans.class).exposedTypes(beanClass);
        return Stream.concat(Stream.of(type), said.stream())
                .<BeanDefinition<?>>flatMap(each -> context.getBeanDefinitions(each).stream())
                .filter(bean -> classOf(bean) == beanClass)
                .collect(Collectors.toSet());
    }

    private static void requireShared(OperationDefinition first, OperationDefinition second) {
        boolean inherited = first.declaration() != null && first.declaration().equals(second.declaration());
        if (inherited && first.sharesKeys() && second.sharesKeys()) {
            LOG.info(
                    "'{}' is one operation of {} and {}, because its namespace '{}' is written down: a key runs one of them",
                    first.name(),
                    first.origin(),
                    second.origin(),
                    first.namespace());
            return;
        }
        String remedy = inherited
                ? "They inherit it from " + first.declaration()
                        + ". Leave its name out there, or annotate the method in each"
                        + " bean with a name of its own, so that each has its own keys; write a namespace beside the name if"
                        + " one key shall run only one of them."
                : "Rename one in @IdempotentOperation.";
        throw new ConfigurationException("Two operations are named '" + first.name() + "': " + first.origin() + " and "
                + second.origin() + "." + HARM + remedy);
    }

    private void requireOneBean(OperationDefinition definition, Class<?> beanClass) {
        Set<BeanDefinition<?>> beans = beans(context, beanClass, beanClass);
        if (beans.size() > 1) {
            throw OperationAttributes.refused(
                    definition,
                    " is of a class with several beans: "
                            + beans.stream()
                                    .map(bean -> String.valueOf(bean.getDeclaredQualifier()))
                                    .sorted()
                                    .toList()
                            + "." + HARM
                            + "Give each a class of its own that inherits the method, and leave its name out there; or write a namespace"
                            + " in @IdempotentOperation if one key shall run only one of them, or says itself which one it is for.");
        }
    }

    /** Returns the class that the application wrote, not its intercepted subclass. */
    static Class<?> classOf(BeanDefinition<?> bean) {
        if (bean instanceof DelegatingBeanDefinition<?> delegate) {
            return classOf(delegate.getTarget());
        }
        if (bean instanceof AdvisedBeanType<?> advised) { // of an introduction, too
            return advised.getInterceptedType();
        }
        return bean instanceof ProxyBeanDefinition<?> proxy ? proxy.getTargetType() : bean.getBeanType();
    }
}
