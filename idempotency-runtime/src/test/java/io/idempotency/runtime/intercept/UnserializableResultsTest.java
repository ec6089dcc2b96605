package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.serde.annotation.SerdeImport;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which serializers an application has is known when it starts, whatever the compiler could see. */
@SerdeImport(ImportedResult.class)
class UnserializableResultsTest {

    private static final String SELECTED = "test.unserializable";
    private static final String UNSERIALIZABLE = "idempotency:unserializableResult";

    record Unknown(String id) {}

    @Serdeable
    record Holder(Unknown unknown) {}

    @Serdeable.Serializable
    record Written(String id) {}

    @Serdeable.Deserializable
    record Read(String id) {}

    @Singleton
    @Requires(property = SELECTED, value = "value")
    static class OfAValue {
        @IdempotentOperation(value = "result-of-value", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public Unknown run(String id) {
            return new Unknown(id);
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "list")
    static class OfAList {
        @IdempotentOperation(value = "result-of-list", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public List<Optional<Unknown>> run(String id) {
            return List.of(Optional.of(new Unknown(id)));
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "map")
    static class OfAMap {
        @IdempotentOperation(value = "result-of-map", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public CompletionStage<Map<String, Unknown>> run(String id) {
            throw new IllegalStateException(id);
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "array")
    static class OfAnArray {
        @IdempotentOperation(value = "result-of-array", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public Unknown[] run(String id) {
            return new Unknown[] {new Unknown(id)};
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "property")
    static class OfAProperty {
        @IdempotentOperation(value = "result-of-property", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public Holder run(String id) {
            return new Holder(new Unknown(id));
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "written")
    static class OfWhatIsWritten {
        @IdempotentOperation(value = "result-of-written", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public Written run(String id) {
            return new Written(id);
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "read")
    static class OfWhatIsRead {
        @IdempotentOperation(value = "result-of-read", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public Read run(String id) {
            return new Read(id);
        }
    }

    @Singleton
    @Requires(property = SELECTED, value = "imported")
    static class OfWhatIsImported {
        @IdempotentOperation(value = "result-of-imported", key = "id")
        @SuppressWarnings(UNSERIALIZABLE)
        public List<ImportedResult> run(String id) {
            return List.of(new ImportedResult(id));
        }
    }

    private static ApplicationContext start(String bean) {
        return ApplicationContext.run(Map.of(SELECTED, bean));
    }

    @ParameterizedTest
    @CsvSource({
        "value,Unknown",
        "list,Unknown",
        "map,Unknown",
        "array,Unknown",
        "property,Unknown",
        "written,Written",
        "read,Read"
    })
    void aResultThatCouldNotBeRecordedOrReplayedStopsTheStart(String bean, String unknown) {
        assertThatThrownBy(() -> start(bean).close())
                .hasStackTraceContaining(ConfigurationException.class.getName())
                .hasStackTraceContaining(
                        "Operation 'result-of-" + bean + "' (" + getClass().getName() + ".Of")
                .hasStackTraceContaining(unknown)
                .hasStackTraceContaining("@Serdeable")
                .hasStackTraceContaining("@SerdeImport(");
    }

    @Test
    void aTypeThatTheApplicationImportsIsKnown() {
        try (ApplicationContext context = start("imported")) {
            OfWhatIsImported bean = context.getBean(OfWhatIsImported.class);
            assertThat(bean.run("k")).isEqualTo(bean.run("k")).containsExactly(new ImportedResult("k"));
        }
    }
}
