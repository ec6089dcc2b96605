package io.idempotency.processor.compile;

import io.micronaut.annotation.processing.AggregatingTypeElementVisitorProcessor;
import io.micronaut.annotation.processing.BeanDefinitionInjectProcessor;
import io.micronaut.annotation.processing.MixinVisitorProcessor;
import io.micronaut.annotation.processing.TypeElementVisitorProcessor;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The compiler, over sources in memory, into the folders {@code classes} and {@code generated} of a directory. */
final class Javac {

    /** micronaut-openapi is on the class path for its own tests and would slow down every compilation. */
    private static final String NO_OPENAPI = "-Amicronaut.openapi.enabled=false";

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** One for all compilations, never closed: to open sixty jars again takes a third of a small compilation. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private static final List<Path> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();

    /** What JDK 17 compiles for anyhow; to be told makes it read its index of Java versions for every compilation. */
    private static final List<String> RELEASE =
            Runtime.version().feature() == 17 ? List.of() : List.of("--release", "17");

    private Javac() {}

    static Path newDirectory() {
        try {
            return Files.createTempDirectory("compilation");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiles with Micronaut's processors and ours, and with the classes that are there. */
    static List<Diagnostic<? extends JavaFileObject>> withProcessors(
            Path directory, List<String> options, String... sources) {
        return compile(directory, micronauts(), options(options), List.of(), sources);
    }

    /** The same with Lombok, which its users have to name first. */
    static List<Diagnostic<? extends JavaFileObject>> withLombok(
            Path directory, boolean first, List<String> options, String... sources) {
        List<Processor> processors = new ArrayList<>(micronauts());
        ServiceLoader.load(Processor.class).stream()
                .filter(processor -> processor.type().getName().startsWith("lombok."))
                .forEach(processor -> processors.add(first ? 0 : processors.size(), processor.get()));
        return compile(directory, processors, options(options), List.of(), sources);
    }

    private static List<Processor> micronauts() {
        return List.of(
                new MixinVisitorProcessor(),
                new TypeElementVisitorProcessor(),
                new AggregatingTypeElementVisitorProcessor(),
                new BeanDefinitionInjectProcessor());
    }

    private static List<String> options(List<String> options) {
        List<String> all = new ArrayList<>(List.of(NO_OPENAPI, "-parameters"));
        all.removeIf(option -> options.contains(option.replace("false", "true")));
        all.addAll(options);
        return all;
    }

    /** Compiles without processors and without the names of parameters. */
    static List<Diagnostic<? extends JavaFileObject>> withoutNames(Path directory, String... sources) {
        return compile(directory, List.of(), List.of(), List.of(), sources);
    }

    /** Compiles with the processors that look at one class at a time. */
    static List<Diagnostic<? extends JavaFileObject>> isolated(Path directory, String... sources) {
        List<Processor> processors = List.of(new TypeElementVisitorProcessor(), new BeanDefinitionInjectProcessor());
        return compile(directory, processors, options(List.of()), List.of(), sources);
    }

    /** Compiles with the aggregating processor alone, which is given compiled classes as well. */
    static List<Diagnostic<? extends JavaFileObject>> withClasses(
            Path directory, List<String> classes, String... sources) {
        List<Processor> processors = List.of(new AggregatingTypeElementVisitorProcessor());
        return compile(directory, processors, options(List.of()), classes, sources);
    }

    private static List<Diagnostic<? extends JavaFileObject>> compile(
            Path directory, List<Processor> processors, List<String> further, List<String> classes, String... sources) {
        DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
        try {
            Path output = Files.createDirectories(directory.resolve("classes"));
            Path generated = Files.createDirectories(directory.resolve("generated"));
            List<Path> classPath = new ArrayList<>(List.of(output));
            classPath.addAll(CLASS_PATH);
            FILES.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
            FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
            FILES.setLocationFromPaths(StandardLocation.SOURCE_OUTPUT, List.of(generated));
            List<String> options = new ArrayList<>(RELEASE);
            options.addAll(further);
            List<SourceText> units = Stream.of(sources).map(SourceText::new).toList();
            JavaCompiler.CompilationTask task = COMPILER.getTask(null, FILES, collector, options, classes, units);
            task.setProcessors(processors);
            task.call();
            return collector.getDiagnostics();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
