package io.idempotency.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** A module of beans with operations, and the compiler with Micronaut's processors, with and without this library's visitors. */
final class CompiledModule {

    static final int OPERATIONS_PER_BEAN = 5;

    private static final List<String> PROCESSORS = List.of(
            "io.micronaut.annotation.processing.MixinVisitorProcessor",
            "io.micronaut.annotation.processing.TypeElementVisitorProcessor",
            "io.micronaut.annotation.processing.AggregatingTypeElementVisitorProcessor",
            "io.micronaut.annotation.processing.PackageElementVisitorProcessor",
            "io.micronaut.annotation.processing.BeanDefinitionInjectProcessor");

    /** Operations as a service has them, each kind of key once. */
    private static final String BEAN = """
            package demo.b%1$d;
            import io.idempotency.*;
            import java.math.BigDecimal;
            import java.time.Instant;
            import java.util.*;
            @jakarta.inject.Singleton
            public class Payments {
                public record Line(String sku, int pieces, BigDecimal price) {}
                public record Address(String street, String city, Optional<String> note) {}
                public record Order(UUID id, List<Line> lines, Address address, Instant at, Map<String, String> labels) {}
                @io.micronaut.serde.annotation.Serdeable public record Receipt(String id, BigDecimal total) {}
                public sealed interface Means permits Card, Cash {}
                public record Card(String number) implements Means {}
                public record Cash(int coins) implements Means {}
                @IdempotentOperation(value = "pay-%1$d", key = "order.id", retention = "7d")
                public Receipt pay(Order order) { return new Receipt("1", BigDecimal.ONE); }
                @IdempotentOperation("refund-%1$d")
                public void refund(@IdempotencyKey String id, BigDecimal amount) {}
                @IdempotentOperation("charge-%1$d")
                public Receipt charge(Order order, Means means) { return new Receipt("1", BigDecimal.ONE); }
                @IdempotentOperation(value = "ship-%1$d", key = "id", whenInProgress = WhenInProgress.WAIT)
                public List<Receipt> ship(String id, Address to, Set<Line> lines) { return List.of(); }
                @IdempotentOperation(value = "cancel-%1$d", onFailure = OnFailure.RELEASE)
                public boolean cancel(@IdempotencyKey UUID id, String reason) { return true; }
            }
            """;

    /** A bean without operations. */
    private static final String PLAIN = """
            package demo.b%1$d;
            import java.util.*;
            @jakarta.inject.Singleton
            public class Payments {
                @io.micronaut.serde.annotation.Serdeable
                public record Order(UUID id, String customer, List<String> lines) {}
                private final Map<UUID, Order> orders = new HashMap<>();
                public Optional<Order> find(UUID id) { return Optional.ofNullable(orders.get(id)); }
                public Order add(String customer, List<String> lines) {
                    Order order = new Order(UUID.randomUUID(), customer, lines);
                    orders.put(order.id(), order);
                    return order;
                }
                public void remove(UUID id) { orders.remove(id); }
            }
            """;

    private final List<Source> sources = new ArrayList<>();
    private final ClassLoader micronaut;
    private final ClassLoader ours;

    /** A compilation unit in memory. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(int number, String text) {
            super(URI.create("string:///demo/b" + number + "/Payments.java"), Kind.SOURCE);
            this.text = text.formatted(number);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** With beans of five operations each, and others without any. */
    CompiledModule(int beans, int plain) {
        for (int i = 0; i < beans + plain; i++) {
            sources.add(new Source(i, i < beans ? BEAN : PLAIN));
        }
        List<String> all = List.of(classPath().split(File.pathSeparator));
        micronaut = loader(all.stream()
                .filter(path -> !path.contains("idempotency-processor"))
                .toList());
        ours = loader(all);
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    /** Processors see the compiler and what is on their path, and stay loaded, so that they get warm. */
    private static ClassLoader loader(List<String> paths) {
        URL[] urls = paths.stream().map(CompiledModule::url).toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.startsWith("com.sun.")
                        ? ToolProvider.getSystemJavaCompiler()
                                .getClass()
                                .getClassLoader()
                                .loadClass(name)
                        : super.loadClass(name, resolve);
            }
        };
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path newDirectory() throws IOException {
        return Files.createTempDirectory("compiled-module");
    }

    /** Compiles; fails when the compiler does. */
    void compile(boolean withOurs, Path directory) throws IOException, ReflectiveOperationException {
        List<Processor> processors = new ArrayList<>();
        for (String name : PROCESSORS) {
            Class<?> type = (withOurs ? ours : micronaut).loadClass(name);
            processors.add((Processor) type.getDeclaredConstructor().newInstance());
        }
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory));
            files.setLocationFromPaths(StandardLocation.SOURCE_OUTPUT, List.of(directory));
            List<String> options = List.of("--release", "17", "-parameters", "-classpath", classPath());
            JavaCompiler.CompilationTask task = compiler.getTask(null, files, diagnostics, options, null, sources);
            task.setProcessors(processors);
            if (!task.call()) {
                throw new IllegalStateException(diagnostics.getDiagnostics().toString());
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
