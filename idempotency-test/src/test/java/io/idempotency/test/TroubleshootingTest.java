package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/troubleshooting.md knows every refusal, and quotes what the application really says when it does not start. */
class TroubleshootingTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** The classes that throw a ConfigurationException, with their texts in one piece. */
    private static final Map<String, String> STOPPERS = new TreeMap<>();

    private static String page;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.map(it -> it.resolve("src/main/java"))
                    .filter(Files::exists)
                    .toList()) {
                readSources(module);
            }
        }
        assertThat(STOPPERS).hasSizeGreaterThan(30);
    }

    private static void readSources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
                if (text.contains("new ConfigurationException(")) {
                    STOPPERS.put(file.getFileName().toString(), text);
                }
            }
        }
    }

    private static String part(String name) {
        int start = page.indexOf("<!-- " + name + " -->");
        return page.substring(start, page.indexOf("<!-- /" + name + " -->"));
    }

    @Test
    void everyRefusalHasARow() {
        List<String> rows = part("refusals").lines().toList();
        assertThat(Arrays.stream(Refusal.values()).map(Refusal::code))
                .allSatisfy(code ->
                        assertThat(rows).anySatisfy(row -> assertThat(row).startsWith("| `" + code + "`")));
    }

    /** The first column: what the message contains. */
    private static List<String> quoted() {
        return part("start-up")
                .lines()
                .filter(row -> row.startsWith("| `") && !row.contains("(Hikari)"))
                .flatMap(row -> QUOTED.matcher(row.split(" \\| ")[0]).results().map(quote -> quote.group(1)))
                .toList();
    }

    @Test
    void whatIsQuotedIsWhatTheCodeSays() {
        assertThat(quoted())
                .hasSizeGreaterThan(10)
                .filteredOn(quote -> STOPPERS.values().stream().noneMatch(source -> source.contains(quote)))
                .as("what no message says")
                .isEmpty();
    }
}
