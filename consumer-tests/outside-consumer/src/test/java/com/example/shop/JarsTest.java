package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The library's jars as an application gets them. */
class JarsTest {

    static Stream<Path> jars() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("idempotency-") && entry.endsWith(".jar"))
                .map(Path::of);
    }

    @ParameterizedTest
    @MethodSource("jars")
    void everyJarCarriesItsLicenceAndItsModuleName(Path jar) throws Exception {
        try (var opened = new JarFile(jar.toFile())) {
            assertNotNull(opened.getEntry("META-INF/LICENSE"));
            var module = opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
            assertTrue(module.startsWith("io.idempotency"), module);
        }
    }
}
