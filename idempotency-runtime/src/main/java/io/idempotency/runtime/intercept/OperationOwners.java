package io.idempotency.runtime.intercept;

import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.config.OperationAttributes;
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
 * Refuses operations that would share keys by mistake: an operation is one method of one bean, unless it declares a
 * namespace. The compiler cannot check this, because it sees one module at a time and no beans.
 */
@Singleton
final class OperationOwners {

    private static final Logger LOG = LoggerFactory.getLogger(OperationOwners.class);

    private static final String HARM =
            " They would share their keys, and one would be answered with the other's results. No body ran. ";

    private final BeanContext context;
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    private record Owner(OperationDefinition definition, Class<?> beanClass) {}

    OperationOwners(BeanContext context) {
        this.context = context;
    }

    /**
     * Claims an operation's name for a method of a bean's class.
     *
     * @throws ConfigurationException when another method has the name, or several beans the method, without a namespace
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
     * Tells whether no bean of the class is left. Micronaut also processes the methods of replaced beans, which are
     * never called. It decides which bean is replaced only in a lookup by a type that both beans have.
     */
    private boolean isReplaced(Class<?> beanClass) {
        return beans(beanClass, Object.class).isEmpty();
    }

    /** Returns the beans of a class, looked up by a type and by the types that they are declared to expose. */
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
    private static Class<?> classOf(BeanDefinition<?> bean) {
        if (bean instanceof DelegatingBeanDefinition<?> delegate) {
            return classOf(delegate.getTarget());
        }
        return bean instanceof ProxyBeanDefinition<?> proxy ? proxy.getTargetType() : bean.getBeanType();
    }
}
