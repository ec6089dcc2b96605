package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents say which test holds what; a test that was renamed or removed must not go on being named. */
class NamedTestsExistTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Like {@code AnyTest.whatItShows}, {@code AnyIT} or, of the store contract, {@code TCK Claiming.whatItShows}. */
    private static final Pattern NAMED = Pattern.compile(
            "`(?:TCK (?<contract>\\w+)|(?<test>[A-Z]\\w*(?:Test|[a-z]IT|Scenarios)))(?:\\.(?<method>[a-z]\\w+))?`");

    private static final Map<String, String> SOURCES = new TreeMap<>();

    @BeforeAll
    static void readAllTests() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(it -> Files.exists(it.resolve("pom.xml"))).toList()) {
                read(module.resolve("src/test"));
            }
        }
        read(ROOT.resolve("idempotency-test/src/main"));
    }

    private static void read(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .forEach(file -> SOURCES.merge(
                            file.getFileName().toString().replaceAll("\\..*", ""), text(file), String::concat));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("io.idempotency.test.GuideTest#guide")
    void everyTestThatADocumentNamesExists(Path document) {
        Matcher named = NAMED.matcher(text(document));
        while (named.find()) {
            String contract = named.group("contract");
            String type = contract == null ? named.group("test") : contractOf(contract);
            assertThat(SOURCES.keySet()).as(named.group()).contains(type);
            String method = named.group("method");
            if (method != null) {
                assertThat(SOURCES.get(type))
                        .as(named.group())
                        .containsPattern("(void|fun|ArchRule) `?" + method + "\\b");
            }
        }
    }

    /** The contract's groups are named after what they are about, and their files nearly so. */
    private static String contractOf(String group) {
        String kit = SOURCES.getOrDefault("StoreContract", "");
        Matcher extended = Pattern.compile("class " + group + " extends (\\w+)").matcher(kit);
        assertThat(extended.find()).as("TCK " + group).isTrue();
        return extended.group(1);
    }
}
