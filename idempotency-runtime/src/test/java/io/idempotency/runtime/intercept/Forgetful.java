package io.idempotency.runtime.intercept;

import io.micronaut.annotation.processing.BeanDefinitionInjectProcessor;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** An application that Micronaut's processor compiled and ours did not, beside the beans of these tests. */
final class Forgetful {

    private static final String HEAD = """
            package demo;
            import io.idempotency.*;
            import io.idempotency.definition.*;
            import io.micronaut.aop.*;
            import io.micronaut.context.annotation.*;
            import io.micronaut.core.type.Argument;
            import jakarta.inject.Singleton;
            import java.lang.annotation.*;

            """;

    private Forgetful() {}

    /** Compiles the types and starts the application. */
    static ApplicationContext start(Path directory, String types) throws IOException {
        compile(directory, HEAD + types);
        URL[] classes = {directory.toUri().toURL()};
        URLClassLoader loader = new URLClassLoader(classes, Forgetful.class.getClassLoader());
        return ApplicationContext.builder(loader)
                .properties(Map.of("idempotency.store", "memory"))
                .start();
    }

    private static void compile(Path directory, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(Files.createDirectories(directory)));
            List<String> options =
                    List.of("--release", "17", "-parameters", "-classpath", System.getProperty("java.class.path"));
            JavaCompiler.CompilationTask task =
                    compiler.getTask(null, files, problems, options, null, List.of(new Source(source)));
            task.setProcessors(List.of(new BeanDefinitionInjectProcessor()));
            if (!task.call()) {
                throw new AssertionError("Does not compile: " + problems.getDiagnostics());
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///demo/Demo.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
