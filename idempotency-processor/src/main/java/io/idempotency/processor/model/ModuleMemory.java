package io.idempotency.processor.model;

import io.micronaut.inject.visitor.VisitorContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.annotation.processing.Filer;
import javax.annotation.processing.ProcessingEnvironment;
import javax.tools.StandardLocation;

/**
 * The names of a module's annotated classes, beside its generated sources. An IDE compiles one file by itself, and what is
 * compared with the rest of the module is found by these names among the classes of the last build. Without such a file,
 * and in other languages, only what is compiled now is compared.
 */
public final class ModuleMemory {

    private static final String FILE = "idempotency-module.txt";

    private ModuleMemory() {}

    public static Set<String> read(VisitorContext context) {
        Optional<Filer> filer = CompilerModel.environment(context).map(ProcessingEnvironment::getFiler);
        if (filer.isEmpty()) {
            return Set.of();
        }
        try {
            CharSequence text = filer.get()
                    .getResource(StandardLocation.SOURCE_OUTPUT, "", FILE)
                    .getCharContent(true);
            return text.toString().lines().collect(Collectors.toCollection(TreeSet::new));
        } catch (FileNotFoundException | NoSuchFileException e) {
            return Set.of(); // the first build
        } catch (IOException e) {
            context.warn("The annotated classes of the last build could not be read: " + e, null);
            return Set.of();
        }
    }

    /** Leaves the names, which are sorted, to the next compilation. */
    public static void write(TreeSet<String> names, VisitorContext context) {
        CompilerModel.environment(context).map(ProcessingEnvironment::getFiler).ifPresent(filer -> {
            try (Writer file = filer.createResource(StandardLocation.SOURCE_OUTPUT, "", FILE)
                    .openWriter()) {
                file.write(String.join("\n", names) + "\n");
            } catch (IOException e) {
                context.warn("The module's annotated classes could not be written down: " + e, null);
            }
        });
    }
}
