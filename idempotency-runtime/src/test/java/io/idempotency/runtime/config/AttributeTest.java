package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every policy can be annotated and configured, for one operation and for all, and each way has its effect. */
class AttributeTest {

    /** Who an operation is, what no configuration may change, and the lists that {@code FailureTypesTest} is about. */
    private static final Set<String> OTHERS =
            Set.of("value", "key", "namespace", "transactional", "noEffectFor", "finalFor", "unknownFor");

    /** Two values for each attribute, neither of which is the default. */
    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("store", List.of("blocking", "other")),
            Map.entry("retention", List.of("48h", "72h")),
            Map.entry("in-doubt-retention", List.of("60d", "forever")),
            Map.entry("lease", List.of("31s", "32s")),
            Map.entry("key-required", List.of("false", "true")),
            Map.entry("key-format", List.of("UUID", "UUID4")),
            Map.entry("other-callers", List.of("ISOLATE", "FORBID")),
            Map.entry("max-new-keys", List.of("5", "6")),
            Map.entry("max-new-keys-per-caller", List.of("7", "8")),
            Map.entry("when-in-progress", List.of("WAIT", "REJECT")),
            Map.entry("wait-timeout", List.of("11s", "12s")),
            Map.entry("on-failure", List.of("RELEASE", "REMEMBER")),
            Map.entry("on-store-failure", List.of("PROCEED", "FAIL")),
            Map.entry("on-abandoned", List.of("TAKE_OVER", "REFUSE")),
            Map.entry("store-arguments", List.of("true", "false")),
            Map.entry("max-result-size", List.of("1KB", "2KB")));

    /** As the processor generates it. */
    private record Charge(Map<String, String> attributes) implements OperationDefinition {
        @Override
        public String name() {
            return "charge-twice";
        }

        @Override
        public String origin() {
            return "Payments.charge()";
        }

        @Override
        public KeySource keySource() {
            return KeySource.ARGUMENTS;
        }

        @Override
        public void fingerprint(Object[] arguments, FingerprintWriter writer) {}

        @Override
        public Argument<?> resultType() {
            return Argument.VOID;
        }
    }

    /** The properties of the getters that every policy has. */
    private static List<String> attributes() {
        return Arrays.stream(PolicyConfiguration.class.getDeclaredMethods())
                .filter(getter -> getter.getReturnType() != List.class)
                .map(getter -> NameUtils.hyphenate(NameUtils.getPropertyNameForGetter(getter.getName()), true))
                .toList();
    }

    private static Object standard(String property, PolicyConfiguration all) throws ReflectiveOperationException {
        return PolicyConfiguration.class
                .getMethod(NameUtils.getterNameFor(NameUtils.camelCase(property)))
                .invoke(all);
    }

    /** What was decided, and everything that is built of it. */
    private record Decided(Object value, String effect) {}

    private static Decided decided(String attribute, Map<String, Object> configured, Map<String, String> annotated)
            throws ReflectiveOperationException {
        Map<String, Object> properties = new HashMap<>(configured);
        if (attribute.equals("store")) {
            properties.put("test.stores", true);
        }
        properties.put("test.callers", true); // who have limits of their own
        if (attribute.equals("store-arguments")) {
            properties.put("idempotency.encryption.key", Base64.getEncoder().encodeToString(new byte[32]));
        }
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            Charge charge = new Charge(annotated);
            PolicyMerger policies = context.getBean(PolicyMerger.class);
            PolicyConfiguration all = context.getBean(IdempotencyConfiguration.class);
            Object standard = standard(attribute, all);
            return new Decided(
                    context.getBean(OperationAttributes.class).of(charge, attribute, any -> standard),
                    policies.policyOf(charge) + " "
                            + context.getBean(Stores.class).of(charge, null).name() + " "
                            + context.getBean(KeyPolicy.Merger.class).of(charge));
        }
    }

    private static List<Method> members() {
        return Arrays.stream(IdempotentOperation.class.getDeclaredMethods())
                .filter(member -> !OTHERS.contains(member.getName()))
                .toList();
    }

    @Test
    void everyMemberOfTheAnnotationIsAnAttribute() {
        List<String> names = attributes().stream().map(NameUtils::camelCase).toList();
        assertThat(names)
                .doesNotHaveDuplicates()
                .containsAll(members().stream().map(Method::getName).toList());
        assertThat(VALUES.keySet()).containsExactlyInAnyOrderElementsOf(attributes());
    }

    @Test
    void everyConfiguredPolicyOfAnOperationIsAnAttribute() {
        try (ApplicationContext context = ApplicationContext.run()) {
            KnownProperties known = context.getBean(KnownProperties.class);
            for (String attribute : attributes()) {
                assertThat(known.typeOf("idempotency." + attribute)).isPresent();
                assertThat(known.typeOf("idempotency.operations.any." + attribute))
                        .isPresent();
            }
        }
    }

    @Test
    void theAnnotationSaysTheDefaultsThatTheConfigurationHas() throws ReflectiveOperationException {
        try (ApplicationContext context = ApplicationContext.run()) {
            OperationAttributes attributes = context.getBean(OperationAttributes.class);
            IdempotencyConfiguration all = context.getBean(IdempotencyConfiguration.class);
            List<String> compared = new ArrayList<>();
            for (Method member : members()) {
                String attribute = NameUtils.hyphenate(member.getName(), true);
                Map<String, String> annotated =
                        Map.of(member.getName(), member.getDefaultValue().toString());
                if (!member.getDefaultValue().equals("")) {
                    compared.add(member.getName());
                    assertThat((Object) attributes
                                    .declared(new Charge(annotated), attribute)
                                    .orElseThrow())
                            .as(member.getName())
                            .isEqualTo(standard(attribute, all));
                }
            }
            assertThat(compared).hasSizeGreaterThan(8);
        }
    }

    @Test
    void theLimitsOfAPropertyAreThoseOfTheAnnotation() {
        try (ApplicationContext context = ApplicationContext.run()) {
            PolicyMerger policies = context.getBean(PolicyMerger.class);
            assertThatThrownBy(() -> policies.policyOf(new Charge(Map.of("lease", "1ms"))))
                    .hasMessage("@IdempotentOperation(lease) of Payments.charge(): 1ms is less than 10ms");
        }
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void theConfigurationOfTheOperationCountsThenTheAnnotationThenTheConfigurationOfAll(String property)
            throws ReflectiveOperationException {
        String first = VALUES.get(property).get(0);
        String second = VALUES.get(property).get(1);
        Decided ofAll = decided(property, Map.of("idempotency." + property, first), Map.of());
        Decided ofTheOperation = decided(
                property,
                Map.of(
                        "idempotency." + property, first,
                        OperationConfiguration.PREFIX + ".charge-twice." + property, second,
                        OperationConfiguration.PREFIX + ".charge-twice.programmatic", true),
                Map.of(NameUtils.camelCase(property), first));
        assertThat(ofTheOperation.value()).isNotEqualTo(ofAll.value());
        assertThat(ofTheOperation.effect()).isNotEqualTo(ofAll.effect());
        if (members().stream().anyMatch(member -> member.getName().equals(NameUtils.camelCase(property)))) {
            assertThat(decided(
                            property,
                            Map.of("idempotency." + property, first),
                            Map.of(NameUtils.camelCase(property), second)))
                    .isEqualTo(ofTheOperation);
        }
    }
}
