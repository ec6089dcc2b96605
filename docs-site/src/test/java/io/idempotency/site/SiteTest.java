package io.idempotency.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Makes the site in target/site, and follows every link and picture of it. */
class SiteTest {

    private static final Path FOLDER = Path.of("target/site").toAbsolutePath();
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    @BeforeAll
    static void make() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        new Site(root, System.getProperty("site.repository", "../../../")).write(FOLDER);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    @Test
    void everyPageOfTheGuideIsThere() throws IOException {
        assertThat(pages()).hasSizeGreaterThan(25).contains(FOLDER.resolve("index.html"));
    }

    @Test
    void everyLinkOfEveryPageLeadsSomewhere() throws IOException {
        for (Path page : pages()) {
            String html = Files.readString(page);
            REFERENCE
                    .matcher(html)
                    .results()
                    .map(reference -> reference.group(1))
                    .filter(reference -> !reference.contains(":"))
                    .forEach(reference -> follow(page, reference));
        }
    }

    private static void follow(Path page, String reference) {
        String[] parts = reference.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        assertThat(target).as("%s in %s", reference, page.getFileName()).exists();
        if (parts.length == 2) {
            assertThat(target)
                    .as("%s in %s", reference, page.getFileName())
                    .content()
                    .contains("id=\"" + parts[1] + "\"");
        }
    }

    @Test
    void noMarkdownIsLeftInAPage() throws IOException {
        for (Path page : pages()) {
            assertThat(Files.readString(page).replaceAll("(?s)<pre>.*?</pre>|<code>.*?</code>|<!--.*?-->", ""))
                    .as(page.toString())
                    .doesNotContain("](", "|---", "**");
        }
    }
}
