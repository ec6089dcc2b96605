package io.idempotency.test.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** JVMs that a test starts, and often kills. They live for seconds: most of what the second compiler does would be for nothing. */
public final class ChildJvm {

    private ChildJvm() {}

    /**
     * How a JVM like this one is started.
     *
     * @param arguments options, what it runs, and that one's arguments
     * @return can be added to
     */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * How a class of this JVM's class path is started in one of its own.
     *
     * @param main the class
     * @param arguments of its {@code main}
     * @return can be added to
     */
    public static List<String> command(Class<?> main, String... arguments) {
        List<String> command = command("-cp", System.getProperty("java.class.path"), main.getName());
        command.addAll(List.of(arguments));
        return command;
    }
}
