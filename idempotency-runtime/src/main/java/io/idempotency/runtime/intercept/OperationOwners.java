package io.idempotency.runtime.intercept;

import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.DelegatingBeanDefinition;
import io.micronaut.inject.ProxyBeanDefinition;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses operations that would share their keys without a word: an operation is one method of one bean, unless a namespace
 * is written down. The compiler sees one
 * module at a time, and not which beans are alive.
 */
@Singleton
final class OperationOwners {

    private static final Logger LOG = LoggerFactory.getLogger(OperationOwners.class);

    private static final String HARM =
            " They would share their keys, and one would be answered with the other's" + " results. No body ran. ";

    private final BeanContext context;
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    private record Owner(OperationDefinition definition, Class<?> beanClass) {}

    OperationOwners(BeanContext context) {
        this.context = context;
    }

    /**
     * Takes an operation's name for a method of a bean's class.
     *
     * @throws ConfigurationException when another method has it, or several beans have the method, and that was not declared
     */
    void claim(OperationDefinition definition, Class<?> beanClass) {
        Owner owner = new Owner(definition, beanClass);
        Owner first = owners.putIfAbsent(definition.name(), owner);
        if (first != null && first.definition().getClass() != definition.getClass()) {
            if (isReplaced(first.beanClass())) {
                owners.put(definition.name(), owner);
            } else if (!isReplaced(beanClass)) {
                requireShared(first.definition(), definition);
            }
        }
        if (!definition.sharesKeys()) {
            requireOneBean(definition, beanClass);
        }
    }

    /**
     * Micronaut has the methods of replaced beans processed too. They are never called. Only among what both types of bean
     * are looked up by does it decide which one is replaced.
     */
    private boolean isReplaced(Class<?> beanClass) {
        return beans(beanClass, Object.class).isEmpty();
    }

    /** The beans of a class, looked up by a type of theirs, and by those that they are said to have. */
    private Set<BeanDefinition<?>> beans(Class<?> beanClass, Class<?> type) {
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
        Set<BeanDefinition<?>> beans = beans(beanClass, beanClass);
        if (beans.size() > 1) {
            throw new ConfigurationException(
                    "Operation '" + definition.name() + "' (" + definition.origin()
                            + ") is of a class with several beans: "
                            + beans.stream()
                                    .map(bean -> String.valueOf(bean.getDeclaredQualifier()))
                                    .sorted()
                                    .toList()
                            + "." + HARM
                            + "Give each a class of its own that inherits the method, and leave its name out there; or write a namespace"
                            + " in @IdempotentOperation if one key shall run only one of them, or says itself which one it is for.");
        }
    }

    /** The class that the application wrote, not the one that intercepts it. */
    private static Class<?> classOf(BeanDefinition<?> bean) {
        if (bean instanceof DelegatingBeanDefinition<?> delegate) {
            return classOf(delegate.getTarget());
        }
        return bean instanceof ProxyBeanDefinition<?> proxy ? proxy.getTargetType() : bean.getBeanType();
    }
}
