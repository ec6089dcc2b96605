package io.idempotency.integration.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.guide.GuideBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands take too long to be run for the guide: each names goals, modules, profiles, tests and properties that exist. */
@Tag("any-jdk")
class GuideCommandsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().resolveSibling("");

    private static final Set<String> GOALS = Set.of(
            "clean", "test", "verify", "install", "mn:run", "spotless:apply", "test-compile", "deploy", "package");

    /** Of Maven and its plugins, rather than of this build. */
    private static final Set<String> FOREIGN = Set.of(
            "skipTests",
            "test",
            "maven.test.skip",
            "surefire.failIfNoSpecifiedTests",
            "gpg.keyname",
            "failsafe.failIfNoSpecifiedTests");

    private static final Pattern SPAN = Pattern.compile("(?s)(?<!`)`(mvn [^`]*)`(?!`)");
    private static final Pattern PROPERTY = Pattern.compile("-D([\\w.-]+)(?:=('[^']*'|\"[^\"]*\"|\\S*))?");

    /** Texts of poms and tests, by their paths. */
    private static final Map<String, String> SOURCES = new TreeMap<>();

    @BeforeAll
    static void readTheBuild() throws IOException {
        read(ROOT, 1);
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(it -> Files.exists(it.resolve("pom.xml"))).toList()) {
                read(module, 1);
                read(module.resolve("src"), Integer.MAX_VALUE);
            }
        }
    }

    /** Not a target folder: another module's may be written meanwhile. */
    private static void read(Path folder, int depth) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder, depth)) {
            files.filter(file -> file.toString().matches(".*(pom\\.xml|\\.java|\\.kt)"))
                    .forEach(file -> SOURCES.put(ROOT.relativize(file).toString(), GuideBlock.text(file)));
        }
    }

    static Stream<String> commands() {
        Stream<String> blocks = GuideBlock.all("shell").stream()
                .flatMap(block -> block.code().replaceAll("\\\\\\n", " ").lines())
                .map(line -> line.replaceFirst("\\s#.*|\\s*\\|\\| break$", "").strip())
                .filter(line -> !line.matches("for .*; do|done"));
        Stream<String> spans = GuideBlock.pages()
                .flatMap(page -> SPAN.matcher(GuideBlock.text(page)).results())
                .map(span -> span.group(1).replaceAll("\\s+", " "));
        return Stream.concat(blocks, spans).distinct();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void itNamesWhatIsThere(String command) {
        assertThat(command).startsWith("mvn ");
        List<String> words = List.of(PROPERTY.matcher(command).replaceAll("").split("\\s+"));
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-pl")) {
                i++;
                assertThat(words.get(i).split(",")).allMatch(module -> SOURCES.containsKey(module + "/pom.xml"));
            } else if (word.startsWith("-P")) {
                assertThat(SOURCES.values()).anyMatch(pom -> pom.contains("<id>" + word.substring(2) + "</id>"));
            } else {
                assertThat(word.matches("-q|-am|-o|") || GOALS.contains(word))
                        .as(word)
                        .isTrue();
            }
        }
        PROPERTY.matcher(command).results().forEach(GuideCommandsTest::checkProperty);
    }

    /** Applications import it, and no module depends on it, so that -am does not find it. */
    @ParameterizedTest
    @MethodSource("commands")
    void whatIsInstalledInPartHasTheBom(String command) {
        if (command.contains(" install ") && command.contains(" -pl ")) {
            assertThat(command).contains("idempotency-bom,");
        }
    }

    private static void checkProperty(MatchResult property) {
        String name = property.group(1);
        if (name.equals("test")) {
            for (String test : property.group(2).replace("'", "").split(",")) {
                String path = ".*/" + test.replaceFirst("#.*", "").replace("*", "\\w*") + "\\.(java|kt)";
                assertThat(SOURCES.keySet()).as(test).anyMatch(source -> source.matches(path));
            }
        } else if (!FOREIGN.contains(name)) {
            assertThat(SOURCES.values()).as(name).anyMatch(source -> names(source, name));
        }
    }

    private static boolean names(String source, String property) {
        return source.contains("\"" + property + "\"")
                || source.contains("${" + property + "}")
                || source.contains("<" + property + ">")
                || source.contains("<name>" + property + "</name>");
    }
}
