package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guide's links lead somewhere, and somebody reads every block that it shows. A block comes from a file that is built
 * and tested: from between lines with {@code tag::name[]} and {@code end::name[]}, or with the name {@code all} a whole
 * file; {@code -Dsnippets=write} takes it over into the guide. Or it is of a language whose blocks a test takes from the pages.
 */
class GuideTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern BLOCK = Pattern.compile(
            "(?m)(?:<!-- from (?<file>\\S+)#(?<region>\\w+) -->\\n)?^(?<indent> *)```(?<language>\\w*)\\n(?<code>(?s:.*?))^\\k<indent>```$");

    /** Languages whose blocks need no source file: the test that runs, loads or compares every one of them, on every page. */
    private static final Map<String, String> READERS = Map.of(
            "yaml", "GuideConfigurationTest",
            "sql", "GuideStatementsTest",
            "shell", "GuideCommandsTest",
            "bash", "GuideAnswersTest",
            "http", "GuideAnswersTest");

    /** Single blocks, by how they begin: the test that has the same text. */
    private static final Map<String, String> EXCEPTIONS = Map.of("java\nmodule ", "ModulePathTest");

    private static final Pattern LINK = Pattern.compile("\\]\\((?<page>[^)#:]*)(?:#(?<anchor>[^)]*))?\\)");

    static Stream<Path> guide() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> found = Stream.concat(top, docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
            assertThat(found).hasSizeGreaterThan(15);
            return found.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("guide")
    void everyLinkLeadsSomewhere(Path page) throws IOException {
        Matcher link = LINK.matcher(Files.readString(page).replaceAll("(?s)```.*?```|`[^`]*`", ""));
        while (link.find()) {
            String name = link.group("page");
            Path target = name.isEmpty() ? page : page.resolveSibling(name).normalize();
            assertThat(target).as("%s in %s", link.group(), page).exists();
            String anchor = link.group("anchor");
            if (anchor != null) {
                assertThat(anchors(Files.readString(target)))
                        .as("%s in %s", link.group(), page)
                        .contains(anchor);
            }
        }
    }

    /** As they are made of headings, and those that are written down. */
    private static List<String> anchors(String page) {
        Stream<String> headings = Pattern.compile("(?m)^#+ (.*)$")
                .matcher(page)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'));
        Stream<String> written =
                Pattern.compile("<a id=\"([^\"]+)\"").matcher(page).results().map(anchor -> anchor.group(1));
        return Stream.concat(headings, written).toList();
    }

    @ParameterizedTest
    @MethodSource("guide")
    void everySnippetIsWhatItsSourceSays(Path page) throws IOException {
        String text = Files.readString(page);
        if ("write".equals(System.getProperty("snippets"))) {
            Files.writeString(page, BLOCK.matcher(text).replaceAll(GuideTest::upToDate));
            return;
        }
        Matcher snippet = BLOCK.matcher(text);
        while (snippet.find()) {
            if (snippet.group("file") != null) {
                assertThat(snippet.group("code"))
                        .as("%s#%s in %s", snippet.group("file"), snippet.group("region"), page)
                        .isEqualTo(region(snippet.group("file"), snippet.group("region")));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("guide")
    void everyBlockComesFromASourceOrIsReadByATest(Path page) throws IOException {
        String text = Files.readString(page);
        assertThat(unread(text)).as("%s: a block that no test reads", page).isEmpty();
        assertThat(BLOCK.matcher(text).replaceAll("").lines())
                .as(page.toString())
                .noneMatch(line -> line.matches(" *```.*|    +@[A-Z]\\w+.*"));
    }

    /** What a reader pastes is what is tested. */
    @Test
    void everyFileOfTheFolderToCopyIsShownOrLinked() throws IOException {
        String shown = content(ROOT.resolve("docs/getting-started.md"));
        Path folder = ROOT.resolve("consumer-tests/five-minutes");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString())
                            .filter(file -> !file.startsWith("target")))
                    .hasSizeGreaterThan(4)
                    .allSatisfy(file -> assertThat(shown)
                            .containsAnyOf(
                                    "<!-- from consumer-tests/five-minutes/" + file + "#all -->",
                                    "](../consumer-tests/five-minutes/" + file + ")"));
        }
    }

    private static final Pattern LIBRARY_IMPORT =
            Pattern.compile("(?m)^import (io\\.idempotency\\.[a-z.]+\\w*)\\.([A-Z]\\w*);?$");

    @ParameterizedTest
    @MethodSource("guide")
    void theListOfPackagesHasEveryTypeThatIsShownWithoutItsImport(Path page) throws IOException {
        String list = content(ROOT.resolve("docs/README.md"));
        Matcher snippet = BLOCK.matcher(Files.readString(page));
        while (snippet.find()) {
            String file = snippet.group("file");
            if (file == null || !file.endsWith(".java")) {
                continue;
            }
            String code = snippet.group("code");
            LIBRARY_IMPORT
                    .matcher(content(ROOT.resolve(file)))
                    .results()
                    .filter(type -> code.matches("(?s).*\\b" + type.group(2) + "\\b.*"))
                    .filter(type ->
                            !code.contains(type.group()) && !type.group(1).startsWith("io.idempotency.demo"))
                    .forEach(type -> assertThat(list.lines())
                            .as("%s of %s in %s", type.group(2), type.group(1), page)
                            .anyMatch(line -> line.contains("`" + type.group(2) + "`")
                                    && line.contains("`" + type.group(1) + "`")));
        }
    }

    @Test
    void aBlockOfAnotherLanguageIsRefused() {
        assertThat(unread("```java\nint i;\n```\n\n```\nplain\n```\n\n   ```groovy\n   x\n   ```\n"))
                .hasSize(3);
    }

    @Test
    void whoReadsBlocksIsThere() throws IOException {
        List<Path> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src/test"))
                    .filter(Files::exists)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith("Test.java")).forEach(tests::add);
                }
            }
        }
        EXCEPTIONS.forEach((start, test) -> assertThat(tests).anyMatch(file -> file.endsWith(test + ".java")));
        READERS.forEach((language, test) -> assertThat(tests)
                .filteredOn(file -> file.endsWith(test + ".java"))
                .singleElement()
                .extracting(GuideTest::content)
                .asString()
                .contains("GuideBlock.all(\"" + language + "\")"));
    }

    private static List<String> unread(String page) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1) == null && !READERS.containsKey(block.group(4)))
                .map(block -> block.group(4) + "\n" + block.group(5))
                .filter(block -> EXCEPTIONS.keySet().stream().noneMatch(block::startsWith))
                .toList();
    }

    private static String upToDate(MatchResult block) {
        if (block.group(1) == null) {
            return Matcher.quoteReplacement(block.group());
        }
        String all = block.group();
        String head = all.substring(0, all.indexOf('\n', all.indexOf("```")) + 1);
        return Matcher.quoteReplacement(head + region(block.group(1), block.group(2)) + "```");
    }

    /** Where a name has several regions in one file, they follow each other. */
    private static String region(String file, String name) {
        String source = content(ROOT.resolve(file));
        Pattern tagged =
                Pattern.compile("(?m)^.*\\btag::" + name + "\\[].*\\n(?<region>(?s:.*?))^.*\\bend::" + name + "\\[]");
        String region = name.equals("all")
                ? source
                : tagged.matcher(source).results().map(found -> found.group(1)).collect(Collectors.joining());
        assertThat(region).as("region %s of %s", name, file).isNotBlank();
        return region.replaceAll("(?m)^.*\\b(tag|end)::\\w+\\[].*\n", "")
                        .stripTrailing()
                        .stripIndent() + "\n";
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("The guide names " + file, e);
        }
    }
}
