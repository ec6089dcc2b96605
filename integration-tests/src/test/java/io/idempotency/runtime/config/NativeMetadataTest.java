package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a native image needs to be told is in the jars; that nothing else is needed can be checked without building one. */
@Tag("any-jdk")
class NativeMetadataTest {

    private static final Path MODULES = Path.of("..");
    private static final Pattern BY_NAME =
            Pattern.compile("Class\\.forName\\(|ClassUtils\\.forName\\(|\\.loadClass\\(|ServiceLoader\\.load");

    private static final Pattern NAME = Pattern.compile("\"name\": \"([^\"]+)\"");

    private static Stream<Path> modules() {
        try (Stream<Path> modules = Files.list(MODULES)) {
            return modules
                    .filter(module -> module.getFileName().toString().startsWith("idempotency-"))
                    .filter(module -> !module.toString().matches(".*(benchmarks|kotlin-tests|processor|-test)"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<?, ?> json(ApplicationContext context, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return context.getBean(JsonMapper.class).readValue(in, Map.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Predicate<String>> included(ApplicationContext context, Path resources) {
        return files(resources, "resource-config.json").stream()
                .map(file -> (Map<?, ?>) json(context, file).get("resources"))
                .flatMap(listed -> ((List<?>) listed.get("includes")).stream())
                .map(entry -> Pattern.compile((String) ((Map<?, ?>) entry).get("pattern"))
                        .asMatchPredicate())
                .toList();
    }

    @Test
    void everyResourceIsListed() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("idempotency.store", "memory"))) {
            List<Path> roots = modules()
                    .map(module -> module.resolve("src/main/resources"))
                    .toList();
            for (Path root : roots) {
                List<Predicate<String>> included = included(context, root);
                assertThat(files(root, ""))
                        .map(root::relativize)
                        .filteredOn(name -> !name.startsWith("META-INF"))
                        .allSatisfy(name -> assertThat(included)
                                .as("%s is in a resource-config.json of its module", name)
                                .anyMatch(listed -> listed.test(name.toString())));
            }
            assertThat(roots)
                    .hasSizeGreaterThan(5)
                    .anyMatch(root -> !included(context, root).isEmpty());
        }
    }

    @Test
    void everyExceptionThatIsListedExists() {
        List<String> listed = modules()
                .flatMap(module -> files(module.resolve("src/main/resources"), "reflect-config.json").stream())
                .flatMap(file -> NAME.matcher(read(file)).results())
                .map(found -> found.group(1))
                .toList();
        assertThat(listed)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(Class.forName(name)).isAssignableTo(Throwable.class));
    }

    /** The two that do are described in docs/compatibility.md. */
    @Test
    void nothingElseLooksForAClassByItsName() {
        assertThat(modules()
                        .flatMap(module -> files(module.resolve("src/main/java"), ".java").stream())
                        .filter(file -> BY_NAME.matcher(read(file)).find())
                        .map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrder("PolicyMerger.java", "Operations.java");
    }
}
