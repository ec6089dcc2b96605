package io.idempotency.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The Markdown of docs/ and of the repository's own pages as HTML files side by side, with a menu in the order of docs/README.md. */
final class Site {

    private static final Pattern HEADING = Pattern.compile("<h([12]) id=\"([^\"]+)\">(.*?)</h\\1>");
    private static final Pattern LINKED = Pattern.compile("\\]\\(([^)#:]+\\.md)");
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());

    private final Path root;
    private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
    private final Map<Path, String> names = new LinkedHashMap<>();
    private final Map<Path, String> rendered = new LinkedHashMap<>();

    /** What is no page of the site, a folder of examples for instance, is linked to below this address. */
    private final String repository;

    Site(Path root, String repository) throws IOException {
        this.root = root;
        this.repository = repository;
        Path index = root.resolve("docs/README.md");
        names.put(index, "index.html");
        LINKED.matcher(Files.readString(index)).results().forEach(link -> add(index.resolveSibling(link.group(1))));
        for (Path folder : List.of(root.resolve("docs"), root.resolve("docs/decisions"), root)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(this::add);
            }
        }
        for (Path page : names.keySet()) {
            rendered.put(page, render(page));
        }
    }

    private void add(Path page) {
        Path file = page.normalize();
        String name =
                root.relativize(file).toString().replaceFirst("^docs/", "").replace('/', '-');
        names.putIfAbsent(file, name.replaceFirst("\\.md$", ".html"));
    }

    private String render(Path page) {
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Link link) {
                        attributes.put("href", target(page, link.getDestination()));
                    } else if (node instanceof Image image) {
                        attributes.put("src", target(page, image.getDestination()));
                    }
                })
                .build();
        Node document = parser.parse(read(page));
        return renderer.render(document);
    }

    /** Of a page its HTML file, of a file that is copied itself, of anything else its place in the repository. */
    private String target(Path page, String destination) {
        if (destination.isEmpty() || destination.startsWith("#") || destination.contains("://")) {
            return destination;
        }
        String[] parts = destination.split("#", 2);
        String anchor = parts.length == 1 ? "" : "#" + parts[1];
        Path file = page.resolveSibling(parts[0]).normalize();
        if (names.containsKey(file)) {
            return names.get(file) + anchor;
        }
        Path docs = root.resolve("docs");
        return file.startsWith(docs) ? docs.relativize(file) + anchor : repository + root.relativize(file) + anchor;
    }

    /** The pages, and beside them the files of docs/ that they show or link to. */
    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        String template = resource("page.html");
        for (Path page : names.keySet()) {
            String html = template.replace("@TITLE@", title(page))
                    .replace("@MENU@", menu(page))
                    .replace("@CONTENT@", rendered.get(page));
            Files.writeString(folder.resolve(names.get(page)), html);
        }
        Files.writeString(folder.resolve("site.css"), resource("site.css"));
        copy(root.resolve("docs"), folder);
    }

    private String menu(Path current) {
        return names.keySet().stream()
                .map(page -> page.equals(current)
                        ? "<li><a aria-current=\"page\" href=\"#content\">" + title(page) + "</a>" + headings(page)
                        : "<li><a href=\"" + names.get(page) + "\">" + title(page) + "</a>")
                .collect(Collectors.joining("</li>\n", "<ul>", "</li></ul>"));
    }

    private String title(Path page) {
        return HEADING.matcher(rendered.get(page))
                .results()
                .map(heading -> heading.group(3))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(page + " has no heading"));
    }

    private String headings(Path page) {
        String found = HEADING.matcher(rendered.get(page))
                .results()
                .filter(heading -> heading.group(1).equals("2"))
                .map(heading -> "<li><a href=\"#" + heading.group(2) + "\">" + heading.group(3) + "</a></li>")
                .collect(Collectors.joining());
        return found.isEmpty() ? "" : "<ul>" + found + "</ul>";
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(it -> !it.toString().endsWith(".md"))
                    .toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.write(copy, Files.readAllBytes(file));
            }
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Site.class.getResourceAsStream("/site/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
