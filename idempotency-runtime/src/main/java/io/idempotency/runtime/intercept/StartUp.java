package io.idempotency.runtime.intercept;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.definition.AnnotatedBeans;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.Similar;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationAttributes;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.config.OperationConfiguration;
import io.idempotency.runtime.config.PolicyWarnings;
import io.idempotency.runtime.config.PropertyValidator;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.ExecutableMethod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds every operation while the application starts, so that a wrong property fails the start rather than a call. */
@Context
record StartUp(BeanContext context) implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);

    @Override
    public void onApplicationEvent(StartupEvent event) {
        Set<ExecutableMethod<?, ?>> methods =
                context.getBean(AnnotatedBeans.class).methods(IdempotentOperation.class);
        GeneratedDefinitions.require(context, methods);
        PropertyValidator written = context.getBean(PropertyValidator.class);
        written.check();
        if (!context.getBean(IdempotencyConfiguration.class).isEnabled()) {
            LOG.warn(
                    "idempotency.enabled is false: {} idempotent operations run unprotected, and every retry runs its"
                            + " body again",
                    methods.size());
            return;
        }
        Operations operations = context.getBean(Operations.class);
        BeanMethods.Reconcilers reconcilers = context.getBean(BeanMethods.Reconcilers.class);
        Map<String, List<ExecutableMethod<?, ?>>> annotated = new HashMap<>();
        for (ExecutableMethod<?, ?> method : methods) {
            Bound bound = operations.of(method);
            requireReconciler(bound, reconcilers, Operations.ownerOf(bound.definition(), method));
            requireRequestKeys(bound, context.containsBean(RequestKeySource.class));
            requireConverter(bound, method, context.getConversionService());
            annotated
                    .computeIfAbsent(bound.operation().name(), name -> new ArrayList<>())
                    .add(method);
        }
        Set<String> names = new TreeSet<>(annotated.keySet());
        for (OperationBinder.Configured configured : context.getBeansOfType(OperationBinder.Configured.class)) {
            for (Operation operation : configured.operations()) {
                if (!names.add(operation.name())) {
                    throw new ConfigurationException(
                            "'" + operation.name() + "' names an operation of the configuration"
                                    + " and an annotated one. They would share their keys. Rename one.");
                }
            }
        }
        context.getBean(ProgrammaticOperations.class).reserve(names);
        requireKnown(written, names);
        context.getBeansOfType(AnsweredCalls.class).forEach(calls -> calls.start(annotated));
        warnOfRisks();
        context.getBean(PolicyWarnings.class).log(reconcilers::has);
        context.getBean(IdempotencyRecords.class);
        context.getBean(IdempotencyEngine.class); // creates them, so that their wrong properties fail the start
        operations.started();
    }

    /** Warns of risky policies. Creates secrets and fingerprint versions now, so that unusable ones fail the start. */
    private void warnOfRisks() {
        boolean keyed = context.getBean(FingerprintForms.class).areKeyed();
        if (keyed && !context.getBean(IdentityDigests.class).areKeyed()) {
            warn(
                    "idempotency.fingerprint.secret is set and idempotency.fingerprint.identity-secret is not: the arguments of"
                            + " {} are their key, and whoever steals the store can try them against the ids of its records."
                            + " Setting it makes every key a new one, so do that while no record is kept.",
                    bound -> bound.definition().keySource() == KeySource.ARGUMENTS);
        }
        warn(
                "on-store-failure is PROCEED for {}: while their store cannot be reached, every call and every retry"
                        + " runs the body, on all nodes at once. Such calls are counted as outcome \"proceeded\" of"
                        + " idempotency.calls.",
                bound -> bound.operation().policy().onStoreFailure() == OnStoreFailure.PROCEED);
        warn(
                "key-required is false for {}: a call without a key runs unprotected, and every retry of it runs the body"
                        + " again. Such calls are counted in idempotency.calls.unprotected.",
                bound -> !bound.keys().required()
                        && bound.definition().method() != null
                        && bound.definition().keySource() != KeySource.ARGUMENTS);
    }

    private void warn(String text, Predicate<Bound> filter) {
        Set<String> operations = context.getBean(OperationBinder.class).all().stream()
                .filter(filter)
                .map(bound -> bound.operation().name())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!operations.isEmpty()) {
            LOG.warn(text, operations);
        }
    }

    private void requireReconciler(Bound bound, BeanMethods.Reconcilers reconcilers, Class<?> owner) {
        if (bound.operation().policy().onAbandoned() == OnAbandoned.RECONCILE
                && !reconcilers.has(bound.operation().name())
                && !Operations.isReplaced(context, owner)) {
            throw OperationAttributes.refused(
                    bound.definition(),
                    " has onAbandoned = RECONCILE and no bean has a method @Reconciles(\""
                            + bound.operation().name()
                            + "\"), or one that replaced it lacks the annotation. Write one, or choose REFUSE.");
        }
    }

    /** Refuses header keys that nothing reads: every request would be refused, or run unprotected. */
    static void requireRequestKeys(Bound bound, boolean present) {
        if (bound.definition().keySource() == KeySource.HEADER && !present) {
            throw OperationAttributes.refused(
                    bound.definition(),
                    " takes its key from the Idempotency-Key header, and nothing reads"
                            + " it. Add the dependency io.idempotency:idempotency-http-server, or name the key in"
                            + " @IdempotentOperation(key = …).");
        }
    }

    /** Refuses a reactive type without a converter, with which Micronaut would fail at the first call. */
    static void requireConverter(Bound bound, ExecutableMethod<?, ?> method, ConversionService conversion) {
        Class<?> returned = method.getReturnType().getType();
        boolean converted = !method.isSuspend()
                && method.getReturnType().isReactive()
                && !Publisher.class.isAssignableFrom(returned);
        if (converted && !conversion.canConvert(Publisher.class, returned)) {
            throw OperationAttributes.refused(
                    bound.definition(),
                    " returns " + returned.getName()
                            + ", and nothing on the class path converts a Publisher to it. Add"
                            + " io.micronaut.rxjava3:micronaut-rxjava3, or return Mono or CompletionStage.");
        }
    }

    /** Refuses a configured name without an operation: a misspelt one would leave the operation with other policies. */
    private static void requireKnown(PropertyValidator written, Set<String> names) {
        for (Set<String> meant : written.names(OperationConfiguration.PREFIX)) {
            if (Collections.disjoint(meant, names)) {
                String name = meant.iterator().next();
                throw new ConfigurationException(OperationConfiguration.PREFIX + "." + name
                        + ": there is no operation of that name in this application." + Similar.didYouMean(name, names)
                        + " Correct it, or add programmatic: true beside it if it is only called by hand. Its operations: "
                        + names);
            }
        }
    }
}
