package io.idempotency.test.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of the README or the guide that is no region of a source file, so that a test takes it from the page itself.
 *
 * @param place the page and the line where it begins
 * @param code what is between the fences
 */
public record GuideBlock(String place, String code) {

    private static final Path ROOT = Path.of("").toAbsolutePath().resolveSibling("");

    private static final Pattern BLOCK =
            Pattern.compile("(?m)(?<!-->\\n)^(?<indent> *)```(?<language>\\w+)\\n(?<code>(?s:.*?))^\\k<indent>```$");

    /**
     * Every one of a language, on every page.
     *
     * @throws IllegalStateException when there is none: then nobody needs the test that asks
     */
    public static List<GuideBlock> all(String language) {
        List<GuideBlock> found = pages().flatMap(page -> blocks(page, language)).toList();
        if (found.isEmpty()) {
            throw new IllegalStateException("No page has a block of " + language);
        }
        return found;
    }

    /** The README, the other documents beside it, and every page of the guide. */
    public static Stream<Path> pages() {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs).filter(page -> page.toString().endsWith(".md")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<GuideBlock> blocks(Path page, String language) {
        String text = text(page);
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(2).equals(language))
                .map(block -> new GuideBlock(
                        ROOT.relativize(page) + ":"
                                + text.substring(0, block.start()).lines().count(),
                        block.group(3).stripTrailing().stripIndent() + "\n"));
    }

    /** What a page says. */
    public static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return place;
    }
}
