package io.idempotency.processor.compile;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OperationDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compiled classes, loaded, and the definitions among them. */
public final class Compiled implements AutoCloseable {

    private static final Predicate<String> DEFINITION =
            Pattern.compile(".*[$]Operations[$]_[^$]*[.]class").asMatchPredicate();

    private final URLClassLoader loader;
    private final List<OperationDefinition> definitions;

    private Compiled(URLClassLoader loader, Stream<String> files) {
        this.loader = loader;
        this.definitions = files.filter(DEFINITION)
                .map(file ->
                        file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                .sorted()
                .map(name -> (OperationDefinition) create(name))
                .toList();
    }

    /** The classes in a folder, which this JVM or another one compiled. */
    public static Compiled in(Path classes) {
        try (Stream<Path> files = Files.walk(classes)) {
            URL[] urls = {classes.toUri().toURL()};
            return new Compiled(
                    new URLClassLoader(urls, Compiled.class.getClassLoader()),
                    files.map(file -> classes.relativize(file).toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads what was compiled. */
    public ClassLoader loader() {
        return loader;
    }

    /** The only generated definition. */
    public OperationDefinition definition() {
        if (definitions.size() != 1) {
            throw new AssertionError("Not one definition but " + names());
        }
        return definitions.get(0);
    }

    /** All generated definitions, by class name. */
    public List<OperationDefinition> definitions() {
        return definitions;
    }

    private List<String> names() {
        return definitions.stream().map(OperationDefinition::name).toList();
    }

    /** The definition of that name. */
    public OperationDefinition definition(String name) {
        return definitions.stream()
                .filter(definition -> definition.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No definition " + name + " among " + names()));
    }

    /** The key that the only definition reads. */
    public @Nullable String key(@Nullable Object... arguments) {
        return definition().key(arguments);
    }

    /** The fingerprint that the only definition writes, in hexadecimal. */
    public String fingerprint(@Nullable Object... arguments) {
        return fingerprintOf(definition(), arguments);
    }

    /** The fingerprint that a definition writes, in hexadecimal. */
    public static String fingerprintOf(OperationDefinition definition, @Nullable Object... arguments) {
        FingerprintWriter writer = new FingerprintWriter();
        definition.fingerprint(arguments, writer);
        return HexFormat.of().formatHex(writer.toByteArray());
    }

    /** A new instance of a compiled class, by its only constructor with so many parameters. */
    public Object create(String className, @Nullable Object... arguments) {
        try {
            var constructor = Arrays.stream(type(className).getDeclaredConstructors())
                    .filter(each -> each.getParameterCount() == arguments.length)
                    .findFirst()
                    .orElseThrow();
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A constant of a compiled enum. */
    public Object constant(String className, String name) {
        return Arrays.stream(type(className).getEnumConstants())
                .filter(each -> ((Enum<?>) each).name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A compiled class. */
    public Class<?> type(String className) {
        try {
            return loader.loadClass(className);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
