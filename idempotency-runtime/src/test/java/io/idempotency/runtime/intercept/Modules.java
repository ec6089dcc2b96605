package io.idempotency.runtime.intercept;

import io.micronaut.annotation.processing.AggregatingTypeElementVisitorProcessor;
import io.micronaut.annotation.processing.BeanDefinitionInjectProcessor;
import io.micronaut.annotation.processing.TypeElementVisitorProcessor;
import io.micronaut.context.ApplicationContext;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Modules that are compiled one after the other, each seeing the classes of those before, and run as one application. */
final class Modules {

    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) ([\\w$]+)");

    private static final String IMPORTS = """
            package demo;
            import io.idempotency.*;
            import io.micronaut.context.annotation.*;
            import jakarta.inject.*;
            """;

    private final List<Path> directories = new ArrayList<>();

    /** Compiles a module of the package {@code demo}; each source is named after its first type. */
    Modules and(String... sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            Path classes = Files.createTempDirectory("module");
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            List<String> options = List.of(
                    "--release", "17", "-parameters", "-Amicronaut.openapi.enabled=false", "-classpath", classPath());
            List<SourceText> units = Stream.of(sources).map(SourceText::new).toList();
            JavaCompiler.CompilationTask task = compiler.getTask(null, files, found, options, null, units);
            task.setProcessors(List.of(
                    new TypeElementVisitorProcessor(),
                    new AggregatingTypeElementVisitorProcessor(),
                    new BeanDefinitionInjectProcessor()));
            task.call();
            directories.add(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .findFirst()
                .ifPresent(error -> {
                    throw new AssertionError(error.toString());
                });
        return this;
    }

    private String classPath() {
        StringBuilder text = new StringBuilder();
        directories.forEach(each -> text.append(each).append(File.pathSeparator));
        return text.append(System.getProperty("java.class.path")).toString();
    }

    /** Starts the application. */
    ApplicationContext start(Map<String, Object> properties) {
        URL[] urls = directories.stream()
                .map(each -> {
                    try {
                        return each.toUri().toURL();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toArray(URL[]::new);
        ClassLoader loader = new URLClassLoader(urls, Modules.class.getClassLoader());
        return ApplicationContext.builder(loader).properties(properties).start();
    }

    /** Calls {@code pay(String)} of a bean. */
    static Object pay(Object bean, String id) {
        try {
            var method = Stream.of(bean.getClass().getMethods())
                    .filter(each -> each.getName().equals("pay"))
                    .findFirst()
                    .orElseThrow();
            method.setAccessible(true);
            return method.invoke(bean, id);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A bean of the package {@code demo}. */
    static Object bean(ApplicationContext context, String type) {
        return context.getBean(type(context, type));
    }

    /** A class of the package {@code demo}. */
    static Class<?> type(ApplicationContext context, String type) {
        try {
            return context.getClassLoader().loadClass("demo." + type);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static final class SourceText extends SimpleJavaFileObject {

        private final String text;

        SourceText(String text) {
            super(URI.create("string:///demo/" + type(text) + ".java"), Kind.SOURCE);
            this.text = IMPORTS + text;
        }

        private static String type(String text) {
            Matcher matcher = TYPE.matcher(text);
            if (!matcher.find()) {
                throw new AssertionError("No type in " + text);
            }
            return matcher.group(1);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
