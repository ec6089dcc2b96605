package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SameDefinitionsTest {

    @Test
    void micronaut48And410GenerateTheSameDefinitions() throws IOException {
        Map<String, String> older = definitions("micronaut-4.8");

        assertFalse(older.isEmpty());
        assertEquals(definitions("micronaut-4.10"), older);
    }

    @Test
    void micronaut5OnJdk25GeneratesTheSameDefinitionsAsMicronaut4() throws IOException {
        assumeTrue(
                Files.isDirectory(module("micronaut-5.0").resolve("target")),
                "Micronaut 5 needs JDK 25, and no jdk25 is given");

        assertEquals(definitions("micronaut-4.10"), definitions("micronaut-5.0"));
    }

    private static Path module(String name) {
        return Path.of("..", name);
    }

    private static Map<String, String> definitions(String module) throws IOException {
        Path root = module(module).resolve("target/generated-sources/annotations");
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(each -> each.toString().endsWith("$Operations.java")).toList()) {
                found.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        return found;
    }
}
