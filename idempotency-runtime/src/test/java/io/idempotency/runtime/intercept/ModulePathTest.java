package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a Java module of its own; its {@code module-info.java} is the one of docs/compile-time.md. */
@Tag("thorough")
class ModulePathTest {

    private static final Pattern MODULE_NAME = Pattern.compile("<module.name>(.+)</module.name>");
    private static final Pattern SNIPPET = Pattern.compile("```java\n(module .*?\n})\n```", Pattern.DOTALL);

    /** What the application needs of this test's class path. */
    private static final Pattern AT_RUN_TIME = Pattern.compile(
            "(micronaut-(?!core-processor|inject-java|sourcegen|test|micrometer|tracing|rxjava).*|jakarta.*|slf4j-.*|jackson-.*|"
                    + "reactive-streams.*|reactor-.*|jspecify.*)");

    private static final String SHOP = """
            package com.acme.shop;
            import io.idempotency.IdempotentOperation;
            import io.micronaut.context.ApplicationContext;
            import jakarta.inject.Singleton;
            @Singleton
            public class Shop {
                public record Order(String id, java.util.List<String> lines) {}
                private int runs;
                @IdempotentOperation(value = "place-order", key = "order.id")
                public String place(Order order) { return order.id() + " ran " + ++runs; }
                public static void main(String[] arguments) {
                    try (ApplicationContext context = ApplicationContext.run()) {
                        Shop shop = context.getBean(Shop.class);
                        Order order = new Order("o-1", java.util.List.of("a"));
                        System.out.println(shop.place(order) + ", " + shop.place(order) + " in module "
                                + Shop.class.getModule().getName());
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void anApplicationThatIsAModuleCompilesAndRuns() throws Exception {
        String modules = modulePath();
        Path classes = directory.resolve("shop");
        Path source = Files.writeString(directory.resolve("Shop.java"), SHOP);
        Path info = Files.writeString(directory.resolve("module-info.java"), documented());
        run(
                "javac",
                "--release",
                "17",
                "-parameters",
                "-Amicronaut.openapi.enabled=false",
                "-d",
                classes.toString(),
                "--module-path",
                modules,
                "--processor-path",
                System.getProperty("java.class.path"),
                source.toString(),
                info.toString());
        String printed = run(
                "java",
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                modules + File.pathSeparator + classes,
                "--add-modules",
                "ALL-MODULE-PATH",
                "-m",
                "com.acme.shop/com.acme.shop.Shop");
        assertThat(printed).contains("o-1 ran 1, o-1 ran 1 in module com.acme.shop");
    }

    @Test
    void everyPublishedJarIsAModuleOfItsOwnPackages() throws IOException {
        Set<String> seen = new TreeSet<>();
        List<Path> published = published();
        assertThat(published).hasSizeGreaterThan(7);
        for (Path module : published) {
            String name = moduleName(module);
            Set<String> packages = packages(module.resolve("src/main/java"));
            assertThat(packages)
                    .as(module + " is " + name)
                    .isNotEmpty()
                    .allMatch(each -> (each + ".").startsWith(name + "."));
            assertThat(packages).as("packages that no other module has").allMatch(seen::add);
        }
    }

    /** What docs/compile-time.md tells an application to write. */
    private static String documented() throws IOException {
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("..", "docs", "compile-time.md")));
        assertThat(snippet.find())
                .as("a module-info.java in docs/compile-time.md")
                .isTrue();
        return snippet.group(1);
    }

    private String modulePath() throws IOException {
        List<String> path = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path entry = Path.of(each);
            boolean ours = each.matches(".*idempotency-(annotations|runtime)/target/classes");
            if (ours) {
                path.add(jar(entry).toString());
            } else if (each.matches(".*/idempotency-annotations-[^/]*[.]jar")
                    || AT_RUN_TIME.matcher(entry.getFileName().toString()).matches()) {
                path.add(each);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    /** As Maven packages the classes, under the name of the module's pom. */
    private Path jar(Path classes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", moduleName(classes.resolve("../..")));
        Path jar = directory.resolve(classes.getName(classes.getNameCount() - 3) + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(each -> !each.equals(classes)).toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                // folders too, as Maven has them: Micronaut finds beans by the list of a folder's files
                out.putNextEntry(new JarEntry(Files.isDirectory(file) ? name + "/" : name));
                if (Files.isRegularFile(file)) {
                    Files.copy(file, out);
                }
            }
        }
        ModuleReference module = ModuleFinder.of(jar).findAll().iterator().next();
        assertThat(module.descriptor().isAutomatic()).isTrue();
        return jar;
    }

    private static List<Path> published() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            return modules.filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                    .filter(module -> !read(module).contains("<unpublished>true"))
                    .toList();
        }
    }

    private static String moduleName(Path module) {
        Matcher name = MODULE_NAME.matcher(read(module));
        assertThat(name.find()).as("a module.name in " + module).isTrue();
        return name.group(1);
    }

    private static String read(Path module) {
        try {
            return Files.readString(module.resolve("pom.xml"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> packages(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private String run(String tool, String... arguments) throws IOException, InterruptedException {
        Path file = Files.write(
                directory.resolve(tool + ".txt"),
                Stream.of(arguments).map(each -> '"' + each + '"').toList());
        Path output = directory.resolve(tool + ".out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", tool).toString(), "@" + file)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = process.waitFor();
        String printed = Files.readString(output);
        assertThat(code).as(printed).isZero();
        return printed;
    }
}
