package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guide's links lead somewhere, and what it shows as code comes from classes that are compiled and tested:
 * from between {@code // tag::name[]} and {@code // end::name[]}, or with the name {@code all} a whole file.
 * {@code -Dsnippets=write} takes it over into the guide.
 */
class GuideTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- from (?<file>\\S+)#(?<region>\\w+) -->\\n```\\w+\\n(?<code>.*?)```", Pattern.DOTALL);

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
            Files.writeString(page, SNIPPET.matcher(text).replaceAll(GuideTest::upToDate));
            return;
        }
        Matcher snippet = SNIPPET.matcher(text);
        while (snippet.find()) {
            assertThat(snippet.group("code"))
                    .as("%s#%s in %s", snippet.group("file"), snippet.group("region"), page)
                    .isEqualTo(region(snippet.group("file"), snippet.group("region")));
        }
    }

    /** Java that no compiler has seen goes out of date. */
    @ParameterizedTest
    @MethodSource("guide")
    void allJavaComesFromClassesThatAreCompiled(Path page) throws IOException {
        String others = SNIPPET.matcher(Files.readString(page))
                .replaceAll("")
                .replace("```java\nmodule ", "ModulePathTest compiles it: module ");
        assertThat(others).as(page.toString()).doesNotContain("```java");
        assertThat(others.lines()).as(page.toString()).noneMatch(line -> line.matches("    +@[A-Z]\\w+.*"));
    }

    private static String upToDate(MatchResult snippet) {
        String all = snippet.group();
        String head = all.substring(0, all.indexOf('\n', all.indexOf("```")) + 1);
        return Matcher.quoteReplacement(head + region(snippet.group(1), snippet.group(2)) + "```");
    }

    private static String region(String file, String name) {
        try {
            String source = Files.readString(ROOT.resolve(file));
            if (name.equals("all")) {
                return source.stripTrailing() + "\n";
            }
            int start = source.indexOf("// tag::" + name + "[]");
            int end = source.indexOf("// end::" + name + "[]");
            assertThat(end).as("region %s of %s", name, file).isGreaterThan(start);
            assertThat(start).as("region %s of %s", name, file).isNotNegative();
            String region = source.substring(source.indexOf('\n', start) + 1, source.lastIndexOf('\n', end) + 1);
            return region.replaceAll("(?m)^ *// (tag|end)::.*\n", "")
                            .stripTrailing()
                            .stripIndent()
                    + "\n";
        } catch (IOException e) {
            throw new AssertionError("The guide names " + file, e);
        }
    }
}
