package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LibraryVersionTest {

    @Test
    void isTheVersionOfTheBuild() {
        assertThat(System.getProperty("library.version")).isEqualTo(LibraryVersion.CURRENT);
    }
}
