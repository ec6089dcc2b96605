package io.idempotency.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every level at which a class of the library speaks, INFO and above, has its row in the documentation. */
class LogTableTest {

    private static final Pattern SPOKEN =
            Pattern.compile("LOG(?:\\.|::)(info|warn|error)\\b|(?:[? :])Level\\.(INFO|WARN|ERROR)\\b");
    private static final Pattern STATEMENT = Pattern.compile("(?s)\\bLOG(\\.|::).*?;");
    private static final Pattern LOGGER = Pattern.compile("getLogger\\((?:\"([^\"]+)\"|(\\w+)\\.class)\\)");
    private static final Pattern ROW = Pattern.compile("\\| (INFO|WARN|ERROR) \\| `([\\w.]+)` \\|.*");

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            return modules
                    .map(module -> module.resolve("src/main/java"))
                    .filter(source -> source.getParent()
                                    .getParent()
                                    .getParent()
                                    .getFileName()
                                    .toString()
                                    .startsWith("idempotency-")
                            && !source.toString().contains("benchmarks")
                            && Files.isDirectory(source))
                    .flatMap(LogTableTest::files)
                    .toList()
                    .stream();
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> spoken(Path file) {
        try {
            String code = Files.readString(file);
            Matcher logger = LOGGER.matcher(code);
            if (!logger.find()) {
                return Stream.empty();
            }
            String name = logger.group(1) != null ? logger.group(1) : qualified(logger.group(2), code);
            return SPOKEN.matcher(code)
                    .results()
                    .map(LogTableTest::level)
                    .distinct()
                    .map(level -> level + " " + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String qualified(String type, String code) {
        Matcher imported = Pattern.compile("import ([\\w.]+\\." + type + ");").matcher(code);
        return imported.find()
                ? imported.group(1)
                : code.replaceFirst("(?s).*?package ([\\w.]+);.*", "$1") + "." + type;
    }

    private static String level(MatchResult found) {
        return (found.group(1) != null ? found.group(1) : found.group(2)).toUpperCase(Locale.ROOT);
    }

    /** An id writes its first digits itself; the texts of the whole one are for stores and for the operator's interface. */
    @Test
    void noStatementOfALogTakesAWholeId() throws IOException {
        assertThat(sources().flatMap(LogTableTest::statements))
                .hasSizeGreaterThan(50)
                .noneMatch(statement -> statement.contains("keyHash") || statement.contains("d().value()"));
    }

    private static Stream<String> statements(Path file) {
        try {
            return STATEMENT.matcher(Files.readString(file)).results().map(found -> file + ": " + found.group());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theTableNamesEveryLevelOfEveryLogger() throws IOException {
        Set<String> spoken = sources().flatMap(LogTableTest::spoken).collect(Collectors.toCollection(TreeSet::new));
        Set<String> documented = Files.readString(Path.of("..", "docs", "monitoring.md"))
                .lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1) + " io.idempotency." + row.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).hasSizeGreaterThan(20).containsExactlyElementsOf(spoken);
    }
}
