package io.idempotency.processor.compile;

import io.micronaut.annotation.processing.AggregatingTypeElementVisitorProcessor;
import io.micronaut.annotation.processing.BeanDefinitionInjectProcessor;
import io.micronaut.annotation.processing.TypeElementVisitorProcessor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** One run of the compiler over sources in memory; classes and generated sources go to a directory of its own. */
public final class Compilation {

    private static final String NO_OPENAPI = "-Amicronaut.openapi.enabled=false";

    private final Path directory;
    private final List<Diagnostic<? extends JavaFileObject>> diagnostics;

    private Compilation(Path directory, List<Diagnostic<? extends JavaFileObject>> diagnostics) {
        this.directory = directory;
        this.diagnostics = diagnostics;
    }

    /** Compiles sources; each is named after its first top-level type. */
    public static Compilation of(String... sources) {
        return with(List.of(), sources);
    }

    /** Compiles sources with further options of javac. */
    public static Compilation with(List<String> options, String... sources) {
        try {
            Path directory = Files.createTempDirectory("compilation");
            DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
            compile(directory, options, sources, collector);
            return new Compilation(directory, collector.getDiagnostics());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(
            Path directory, List<String> extra, String[] sources, DiagnosticCollector<JavaFileObject> collector)
            throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path generated = Files.createDirectories(directory.resolve("generated"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(collector, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            files.setLocationFromPaths(StandardLocation.SOURCE_OUTPUT, List.of(generated));
            List<String> options = new ArrayList<>(List.of("--release", "17", "-parameters", NO_OPENAPI));
            options.removeIf(option -> extra.contains(option.replace("false", "true")));
            options.addAll(extra);
            List<SourceText> units = Stream.of(sources).map(SourceText::new).toList();
            JavaCompiler.CompilationTask task = compiler.getTask(null, files, collector, options, null, units);
            task.setProcessors(processors());
            task.call();
        }
    }

    private static List<Processor> processors() {
        return List.of(
                new TypeElementVisitorProcessor(),
                new AggregatingTypeElementVisitorProcessor(),
                new BeanDefinitionInjectProcessor());
    }

    /** The errors, as {@code File.java:line:column: message}. */
    public List<String> errors() {
        return texts(Diagnostic.Kind.ERROR);
    }

    /** The warnings, in the form of {@link #errors}. */
    public List<String> warnings() {
        return Stream.concat(texts(Diagnostic.Kind.WARNING).stream(), texts(Diagnostic.Kind.MANDATORY_WARNING).stream())
                .toList();
    }

    private List<String> texts(Diagnostic.Kind kind) {
        return diagnostics.stream()
                .filter(diagnostic -> diagnostic.getKind() == kind)
                .map(Compilation::text)
                .toList();
    }

    private static String text(Diagnostic<? extends JavaFileObject> diagnostic) {
        if (diagnostic.getSource() == null) {
            return diagnostic.getMessage(null);
        }
        String path = diagnostic.getSource().getName();
        return path.substring(path.lastIndexOf('/') + 1) + ":" + diagnostic.getLineNumber() + ":"
                + diagnostic.getColumnNumber() + ": " + diagnostic.getMessage(null);
    }

    /** The generated definitions' sources by class name. */
    public Map<String, String> sources() {
        return new TreeMap<>(read("generated", ".java"));
    }

    private Map<String, String> read(String folder, String suffix) {
        Map<String, String> texts = new TreeMap<>();
        Path root = directory.resolve(folder);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(suffix)).toList()) {
                texts.put(root.relativize(file).toString().replace('/', '.'), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    /** The other files beside the classes, by path in the form of a class name. */
    public Map<String, String> resources(String suffix) {
        return read("classes", suffix);
    }

    /** The compiled classes' bytes in hexadecimal, by path. */
    public Map<String, String> classes() {
        Map<String, String> classes = new TreeMap<>();
        Path root = directory.resolve("classes");
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                classes.put(root.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }

    /** What was compiled, loaded. Fails with the errors when there are any. */
    public Compiled load() {
        if (!errors().isEmpty()) {
            throw new AssertionError("Does not compile:\n" + String.join("\n", errors()));
        }
        return new Compiled(directory.resolve("classes"), sources().keySet());
    }
}
