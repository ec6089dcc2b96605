package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A name that matches no header would make all callers one, without a word. */
class CallerNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "caller-headers|Authorization, X-Client",
                "caller-headers|Authorization,X-Client ",
                "caller-headers|Authorization;X-Client",
                "caller-cookies|SESSION, JSESSIONID"
            })
    void aListWithASpaceOrWithNoNamesDoesNotStart(String property, String names) {
        Map<String, Object> properties = Map.of("idempotency.store", "memory", "idempotency.http." + property, names);
        assertThatThrownBy(() -> ApplicationContext.run(EmbeddedServer.class, properties))
                .hasStackTraceContaining(ConfigurationException.class.getName())
                .hasStackTraceContaining("idempotency.http." + property);
    }
}
