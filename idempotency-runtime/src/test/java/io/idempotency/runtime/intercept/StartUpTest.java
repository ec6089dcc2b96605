package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.order.Ordered;
import io.micronaut.inject.ExecutableMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes in the configuration stop the application while it starts, and name the property. */
class StartUpTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idempotency.store|nowhere|idempotency.store: there is no idempotency store named 'nowhere'",
                "idempotency.operations.charge.store|nowhere|idempotency.operations.charge.store",
                "idempotency.operations.chrage.lease|10s|there is no operation of that name",
                "idempotency.operations.charge.lease|2ms|idempotency.operations.charge.lease",
                "idempotency.operations.charge.lease|48h|retention",
                "idempotency.lease|25h|idempotency.retention",
                "idempotency.in-doubt-retention|soon|idempotency.in-doubt-retention",
                "idempotency.operations.charge.lease|999999d|idempotency.operations.charge.lease",
                "idempotency.operations.charge.retention|9999999d|idempotency.operations.charge.retention",
                "idempotency.in-doubt-retention|99999999999d|forever",
                "idempotency.operations.charge.retention|soon|soon",
                "idempotency.operations.charge.retention|99999999999d|retention",
                "idempotency.operations.charge.on-failure|RELEASED|on-failure",
                "idempotency.operations.charge.key-required|perhaps|key-required",
                "idempotency.operations.charge.max-result-size|big|big",
                "idempotency.operations.charge.leese|60s|idempotency.operations.charge.leese",
                "idempotency.operations.charge.on-abandoned|REFUSED|[REFUSE, RECONCILE, TAKE_OVER]",
                "idempotency.retention|soon|soon",
                "idempotency.leese|60s|idempotency.leese: there is no such property. Did you mean idempotency.lease?",
                "idempotency.operation.charge.lease|60s|Did you mean idempotency.operations.charge.lease?",
                "idempotency.operations.charge.onFailures|RELEASE|Did you mean idempotency.operations.charge.on-failure?",
                "idempotency.purge.enabled|flase|idempotency.purge.enabled: 'flase' is not true or false",
                "idempotency.key-required|yes|idempotency.key-required: 'yes' is not true or false",
                "idempotency.purge.interval|5x|idempotency.purge.interval: '5x' is not a duration",
                "idempotency.purge.time-per-second|2s|idempotency.purge.time-per-second: 2s is more than 1s",
                "idempotency.reconcile.batch-size|0|idempotency.reconcile.batch-size: 0 is less than 1",
                "idempotency.audit-retention|0s|idempotency.audit-retention: 0s is less than 1ms",
                "idempotency.purge.pace|5|idempotency.purge.pace: there is no such property. Known there are: [batch-size",
                "idempotency.fingerprint.secrt|a secret of the application|idempotency.fingerprint.secret?",
                "idempotency.key-format|uuid5|'uuid5' is not one of [ANY",
                "idempotency.other-callers|shared|[DEFAULT, SHARE, ISOLATE, FORBID]",
                "idempotency.max-result-size|10XB|idempotency.max-result-size: '10XB' is not",
                "idempotency.nothing.known|x|there is no such property. Remove it, or correct its name.",
                "idempotency.jdbc.schema|create|If it is one of io.idempotency:idempotency-jdbc, add that module to the class",
                "idempotency.http.routes.a.path|/a|one of io.idempotency:idempotency-http-server, add that module",
                "idempotency.http.client.retries|2|one of io.idempotency:idempotency-http-client, add that module",
                "idempotency.lease|10 seconds|lease",
                "idempotency.on-failure|RELEASED|RELEASED",
                "idempotency.enabled|nope|enabled",
                "idempotency.wait-timeout|99999999d|idempotency.wait-timeout",
                "idempotency.settle-budget|PT-1S|idempotency.settle-budget",
                "idempotency.shutdown-timeout|PT-1S|idempotency.shutdown-timeout",
                "idempotency.shutdown-timeout|soon|shutdown-timeout",
                "idempotency.max-result-size|-1|idempotency.max-result-size",
                "idempotency.max-waiters-per-key|-1|idempotency.max-waiters-per-key",
                "idempotency.on-abandoned|RECONCILE|@Reconciles",
                "idempotency.on-store-failure|IGNORE|[FAIL, PROCEED]",
                "idempotency.no-effect-for|com.example.Nowhere|idempotency.no-effect-for: there is no class",
                "idempotency.final-for|java.lang.String|idempotency.final-for: 'java.lang.String' is not an exception",
                "idempotency.no-effect-for|java.lang.Exception|idempotency.on-failure: RELEASE",
                "idempotency.operations.import.lease|10s|programmatic: true",
                "idempotency.operations.charge.programmatic|true|'charge' names an operation of the configuration",
                "idempotencey.retention|30d|idempotencey.retention: nothing reads this property. The application does not start. Did you mean idempotency.retention?",
                "idempotecny.operations.charge.key-required|true|Did you mean idempotency.operations.charge.key-required?",
                "idempotent.inDoubtRetention|60d|Did you mean idempotency.in-doubt-retention?",
                "idempotenci.no-effect-for[0]|java.io.IOException|Did you mean idempotency.no-effect-for?",
                "micronaut.idempotency.retention|30d|Did you mean idempotency.retention?",
                "operations.charge.lease|60s|operations.charge: nothing reads this property",
                "idempotency.operations.charge.unknown-for|Nowhere|idempotency.operations.charge.unknown-for",
            })
    void aWrongPropertyStopsTheApplicationAndIsNamed(String property, String value, String expected) {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of(property, value)).close())
                .hasStackTraceContaining(expected);
    }

    @Test
    void configurationOverridesTheAnnotationOfOneOperation() {
        try (ApplicationContext context = ApplicationContext.run(
                Map.of("idempotency.operations.optional-key.key-required", true, "idempotency.lease", "5s"))) {
            OrderService service = context.getBean(OrderService.class);
            assertThatThrownBy(() -> service.optionalKey(null)).hasMessageContaining("key");
        }
    }

    private static ApplicationContext withVariables(Map<String, Object> variables) {
        return ApplicationContext.builder()
                .propertySources(new MapPropertySource("variables", variables) {
                    @Override
                    public PropertyConvention getConvention() {
                        return PropertyConvention.ENVIRONMENT_VARIABLE;
                    }
                })
                .start();
    }

    @Test
    void anEnvironmentVariableOverridesOneOperation() {
        try (ApplicationContext context = withVariables(Map.of(
                "IDEMPOTENCY_OPERATIONS_OPTIONAL_KEY_KEY_REQUIRED", "true",
                "IDEMPOTENCY_OPERATIONS_IMPORT_INVOICE_PROGRAMMATIC", "true",
                "IDEMPOTENCY_OPERATIONS_IMPORT_INVOICE_IN_DOUBT_RETENTION", "10d",
                "IDEMPOTENCY_MAX_RESULT_SIZE", "10KB",
                "IDEMPOTENCY_NO_EFFECT_FOR", "java.net.ConnectException",
                "IDEMPOTENCY_DEMO_SERVICE_HOST", "10.0.0.1",
                "IDEMPOTENCY_DEMO_PORT_8080_TCP_ADDR", "10.0.0.1"))) {
            OrderService service = context.getBean(OrderService.class);
            assertThatThrownBy(() -> service.optionalKey(null)).hasMessageContaining("key");
            assertThat(context.getBean(Operations.class)
                            .of(context.getBeanDefinition(OrderService.class)
                                    .getRequiredMethod("nothing", String.class))
                            .operation()
                            .policy()
                            .maxResultSize())
                    .isEqualTo(10 * 1024);
        }
    }

    /** The variable is also the retention of an operation named optional-key-in-doubt, which takes no such word. */
    @Test
    void aVariableOfSeveralMeaningsTakesWhatOneOfThemTakes() {
        try (ApplicationContext context =
                withVariables(Map.of("IDEMPOTENCY_OPERATIONS_OPTIONAL_KEY_IN_DOUBT_RETENTION", "forever"))) {
            assertThat(context.getBean(Operations.class)
                            .of(context.getBeanDefinition(OrderService.class)
                                    .getRequiredMethod("optionalKey", String.class))
                            .operation()
                            .policy()
                            .inDoubtRetention())
                    .isEqualTo(IdempotencyStore.FOREVER);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "IDEMPOTENCEY_RETENTION|30d|IDEMPOTENCEY_RETENTION: nothing reads this property. The application does not start. Did you mean IDEMPOTENCY_RETENTION?",
                "MICRONAUT_IDEMPOTENCY_RETENTION|30d|Did you mean IDEMPOTENCY_RETENTION?",
                "OPERATIONS_CHARGE_LEASE|60s|operations.charge: nothing reads this property",
                "IDEMPOTENCY_LEESE|60s|IDEMPOTENCY_LEESE stands for no property of this library. Did you mean idempotency.lease?",
                "IDEMPOTENCY_OPERATIONS_OPTIONAL_KEY_LEASE|soon|idempotency.operations.optional-key.lease: 'soon' is not a dur",
                "IDEMPOTENCY_OPERATIONS_OPTIONAL_KEY_IN_DOUBT_RETENTION|soon|'soon' is neither a duration like 30d nor forever",
                "IDEMPOTENCY_OPERATIONS_OPTIONAL_KEYS_LEASE|60s|idempotency.operations.optional-keys: there is no operation",
                "IDEMPOTENCY_PURGE_ENABLED|flase|idempotency.purge.enabled: 'flase' is not true or false",
                "IDEMPOTENCY_METRICS_ENABLED|TRUE|idempotency.metrics.enabled: 'TRUE' is not true or false",
            })
    void aWrongEnvironmentVariableStopsTheApplicationAndIsNamed(String variable, String value, String expected) {
        assertThatThrownBy(() -> withVariables(Map.of(variable, value)).close()).hasStackTraceContaining(expected);
    }

    /** It would also fit the in-doubt-retention of an operation named left, which there is not. */
    @Test
    void aVariableThatItsOperationDoesNotTakeStopsTheApplication() {
        assertThatThrownBy(() -> withVariables(Map.of(
                                "IDEMPOTENCY_OPERATIONS_LEFT_IN_DOUBT_PROGRAMMATIC", "true",
                                "IDEMPOTENCY_OPERATIONS_LEFT_IN_DOUBT_RETENTION", "soon"))
                        .close())
                .hasStackTraceContaining("idempotency.operations.left-in-doubt.retention: 'soon' is not a duration");
    }

    @Test
    void sizesAreWrittenInKilobytesToo() {
        try (ApplicationContext context = ApplicationContext.run(Map.of(
                "idempotency.max-result-size", "1MB", "idempotency.operations.charge.max-result-size", "10KB"))) {
            Operations operations = context.getBean(Operations.class);
            assertThat(context.getBeanDefinition(OrderService.class).getExecutableMethods().stream()
                            .map(method -> operations.of(method).operation())
                            .filter(operation -> operation.policy().maxResultSize() == 10 * 1024)
                            .map(Operation::name))
                    .containsExactly("charge");
        }
    }

    @Test
    void switchedOffEveryCallRunsItsBody() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("idempotency.enabled", false))) {
            OrderService service = context.getBean(OrderService.class);
            String id = UUID.randomUUID().toString();
            service.nothing(id);
            service.nothing(id);
            assertThat(service.bodies).hasValue(2);
        }
    }

    @Test
    void aReactiveTypeThatNothingConvertsStopsTheApplicationAndItsModuleIsNamed() {
        try (ApplicationContext context = ApplicationContext.run()) {
            ExecutableMethod<?, ?> single =
                    context.getBeanDefinition(LaterService.class).getRequiredMethod("single", String.class);
            OperationBinder.Bound bound = context.getBean(Operations.class).of(single);
            StartUp.requireConverter(bound, single, context.getConversionService());
            assertThatThrownBy(() -> StartUp.requireConverter(bound, single, new NoConverters()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'later-single'")
                    .hasMessageContaining("micronaut-rxjava3");
        }
    }

    /** As where only RxJava itself is on the class path. */
    private static final class NoConverters implements ConversionService {
        @Override
        public <S, T> Optional<T> convert(
                S object, Class<? super S> sourceType, Class<T> targetType, ConversionContext context) {
            return Optional.empty();
        }

        @Override
        public <T> Optional<T> convert(Object object, Class<T> targetType, ConversionContext context) {
            return Optional.empty();
        }

        @Override
        public <S, T> boolean canConvert(Class<S> sourceType, Class<T> targetType) {
            return false;
        }
    }

    @Test
    void theVersionThatABuildHandsOnIsNoPropertyOfTheLibrary() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("idempotency.version", "1.0"))) {
            assertThat(context.isRunning()).isTrue();
        }
    }

    /** Kafka's and RabbitMQ's listeners hold what is refused so, and skip or reject what throws anything else. */
    @Test
    void aMessageThatComesToANodeThatWillNotStartIsRefusedForAWhile() {
        List<Throwable> told = new ArrayList<>();
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(Map.of("idempotency.store", "nowhere"))
                .build()) {
            ApplicationEventListener<StartupEvent> early = new EarlyMessage(context, told);
            context.registerSingleton(early);
            assertThatThrownBy(context::start).isInstanceOf(ConfigurationException.class);
        }
        assertThat(told).singleElement().isInstanceOfSatisfying(IdempotencyStoreUnavailableException.class, refusal -> {
            assertThat(refusal.retry()).isEqualTo(IdempotencyException.Retry.SAME_KEY);
            assertThat(refusal)
                    .hasMessageContaining("The body did not run")
                    .hasMessageContaining("idempotency.store: there is no idempotency store named 'nowhere'");
        });
    }

    private record EarlyMessage(ApplicationContext context, List<Throwable> told)
            implements ApplicationEventListener<StartupEvent>, Ordered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void onApplicationEvent(StartupEvent event) {
            told.add(catchThrowable(() -> context.getBean(OrderService.class).waits("k")));
        }
    }
}
