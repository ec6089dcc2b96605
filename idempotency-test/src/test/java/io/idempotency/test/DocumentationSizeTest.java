package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A guide that grows page by page is not read to its end. */
class DocumentationSizeTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Set<String> REFERENCES = Set.of("configuration.md", "compile-time.md");
    private static final long PAGE = 12_300;
    private static final int PAGES = 26;
    private static final long GUIDE = 205_000;

    @Test
    void theReadmeIsOneScreenToTheFirstSuccess() throws IOException {
        assertThat(Files.size(ROOT.resolve("README.md"))).isLessThanOrEqualTo(7_200);
    }

    @Test
    void theChangelogSaysWhatAUserNotices() throws IOException {
        assertThat(Files.size(ROOT.resolve("CHANGELOG.md"))).isLessThanOrEqualTo(6_144);
    }

    @Test
    void noPageButAReferenceIsLongerThanItsReaderHasTime() throws IOException {
        assertThat(pages())
                .filteredOn(page -> !REFERENCES.contains(page.getFileName().toString()))
                .allSatisfy(
                        page -> assertThat(Files.size(page)).as(page.toString()).isLessThanOrEqualTo(PAGE));
    }

    @Test
    void thereAreNoMorePagesThanTheIndexCanShow() throws IOException {
        assertThat(pages()).hasSizeLessThanOrEqualTo(PAGES);
    }

    @Test
    void theGuideIsReadToItsEnd() throws IOException {
        assertThat(pages().stream().mapToLong(page -> page.toFile().length()).sum())
                .as("bytes of all pages")
                .isLessThanOrEqualTo(GUIDE);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }
}
