package io.idempotency.processor.compile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/** One run of the compiler over sources in memory; classes and what else it writes go to a directory of its own. */
public final class Compilation {

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
        Path directory = Javac.newDirectory();
        return new Compilation(directory, Javac.withProcessors(directory, options, sources));
    }

    /** Compiles sources without processors and without the names of parameters. */
    public static Compilation withoutNames(String... sources) {
        Path directory = Javac.newDirectory();
        return new Compilation(directory, Javac.withoutNames(directory, sources));
    }

    /** Compiles sources that Lombok completes. */
    public static Compilation afterLombok(List<String> options, String... sources) {
        Path directory = Javac.newDirectory();
        return new Compilation(directory, Javac.withLombok(directory, true, options, sources));
    }

    /** Compiles sources that Lombok completes too late: it stands behind Micronaut's processors. */
    public static Compilation beforeLombok(String... sources) {
        Path directory = Javac.newDirectory();
        return new Compilation(directory, Javac.withLombok(directory, false, List.of(), sources));
    }

    /** Compiles some sources again, over the classes of this compilation, as build tools do after a change. */
    public Compilation again(String... sources) {
        return new Compilation(directory, Javac.withProcessors(directory, List.of(), sources));
    }

    /**
     * Compiles some sources again as Gradle does, which hands over the classes that aggregating processors are for, but
     * does not compile them.
     */
    public Compilation again(List<String> annotated, String... sources) {
        return new Compilation(directory, Javac.withClasses(directory, annotated, sources));
    }

    /** Compiles some sources again by the processors that look at one class at a time. */
    public Compilation isolated(String... sources) {
        return new Compilation(directory, Javac.isolated(directory, sources));
    }

    /** Deletes the classes of one type and what was generated for it, as build tools do before they compile it again. */
    public void forget(String type) {
        String path = type.replace('.', '/');
        String generated =
                path.substring(0, path.lastIndexOf('/') + 1) + "$" + path.substring(path.lastIndexOf('/') + 1);
        for (String file : classes().keySet()) {
            if (Stream.of(path, generated).anyMatch(name -> file.matches(Pattern.quote(name) + "[$_.].*"))) {
                try {
                    Files.delete(directory.resolve("classes").resolve(file));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Deletes what the compiler wrote. */
    public void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The errors, as {@code File.java:line:column: message}, without the ids of rules. */
    public List<String> errors() {
        return plain(reportedErrors());
    }

    /** The errors as they are reported. */
    public List<String> reportedErrors() {
        return texts(Diagnostic.Kind.ERROR);
    }

    /** The warnings, in the form of {@link #errors}. */
    public List<String> warnings() {
        return plain(reportedWarnings());
    }

    private static List<String> plain(List<String> reports) {
        return reports.stream()
                .map(report -> report.replaceFirst("\n +\\[idempotency:.*", ""))
                .toList();
    }

    /** The warnings as they are reported. */
    public List<String> reportedWarnings() {
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

    /** The sources of the generated definitions, by path in the form of a class name. */
    public Map<String, String> generated() {
        return read("generated", "$Operations.java");
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

    /** Where it was compiled to. */
    public Path path() {
        return directory.resolve("classes");
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
        return Compiled.in(path());
    }
}
