package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonFormTest {

    /** A library's own kind of node, a date for instance, that is none of JSON's. */
    @Test
    void aNodeOfNoKindOfJsonIsRefused() {
        JsonForm<Object> form = new JsonForm<>(
                node -> false,
                node -> false,
                Object::toString,
                node -> false,
                node -> false,
                node -> false,
                node -> 0,
                node -> false,
                node -> List.of(),
                node -> false,
                node -> List.of());
        assertThatThrownBy(() -> form.write(new StringBuilder(), new FingerprintWriter()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A JSON node of java.lang.StringBuilder cannot be fingerprinted")
                .hasMessageContaining("The body did not run");
    }
}
