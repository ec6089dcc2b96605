package io.idempotency.integration.campaign;

import io.idempotency.test.servers.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The class path of the processes. A long run starts a node every other second, and most of a start is the loading of
 * classes: so its nodes take them from an archive, which the first node leaves when it ends. Archives know jars only.
 */
final class ClassArchive {

    private final String classPath;
    private final @Nullable Path file;

    private ClassArchive(String classPath, @Nullable Path file) {
        this.classPath = classPath;
        this.file = file;
    }

    /** Loads classes as this process does. */
    static ClassArchive none() {
        return new ClassArchive(System.getProperty("java.class.path"), null);
    }

    /** Puts the class path's folders into jars. The archive is not there before a process has left it. */
    static ClassArchive in(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(entry))) {
                String jar = folder.resolve(jars.size() + ".jar").toString();
                ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "cf", jar, "-C", entry, ".");
                jars.add(jar);
            } else if (Files.exists(Path.of(entry))) {
                jars.add(entry);
            }
        }
        return new ClassArchive(String.join(File.pathSeparator, jars), folder.resolve("classes.jsa"));
    }

    /** Returns how a process is started; one that ends by itself leaves the archive, where there is none yet. */
    List<String> command(Class<?> main, List<String> arguments) {
        List<String> command = ChildJvm.command();
        if (file != null) {
            command.add((Files.exists(file) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + file);
            command.add("-Xlog:cds=off,cds+dynamic=off,class+path=off");
        }
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Tells whether a process has to leave the archive. */
    boolean isMissing() {
        return file != null && !Files.exists(file);
    }
}
