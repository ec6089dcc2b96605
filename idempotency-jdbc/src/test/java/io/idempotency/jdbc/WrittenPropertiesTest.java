package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is misspelt stops the application, which would otherwise run with the default. */
class WrittenPropertiesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shema|create|idempotency.jdbc.shema: there is no such property. Did you mean idempotency.jdbc.schema?",
                "schema|creat|idempotency.jdbc.schema: 'creat' is not one of [",
                "notifications|flase|idempotency.jdbc.notifications: 'flase' is not true or false",
                "tables|records|Did you mean idempotency.jdbc.table?"
            })
    void aMisspeltPropertyStopsTheApplication(String name, String value, String expected) {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of(
                                "datasources.default.url", "jdbc:h2:mem:written", "idempotency.jdbc." + name, value))
                        .close())
                .hasStackTraceContaining(expected);
    }
}
