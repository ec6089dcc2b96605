package io.idempotency.test.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/** Whether servers run in containers. */
public final class Docker {

    /** Asked once per JVM. */
    private static final class Answer {
        static final boolean USABLE = decide(System.getProperty("idempotency.test.servers", "auto"));
    }

    private Docker() {}

    /** Asked once; takes a while where Docker is there and hangs. */
    public static boolean usable() {
        return Answer.USABLE;
    }

    private static boolean decide(String choice) {
        return switch (choice) {
            case "host" -> false;
            case "docker" -> true;
            case "auto" -> likely() && answers();
            default ->
                throw new IllegalArgumentException(
                        "The system property idempotency.test.servers is auto, docker or host, not " + choice);
        };
    }

    /** A cheap look first: without a sign of Docker, Testcontainers is not loaded and logs no errors. */
    private static boolean likely() {
        String home = System.getProperty("user.home");
        boolean sign = System.getenv("DOCKER_HOST") != null
                || Stream.of(
                                Path.of("/var/run/docker.sock"),
                                Path.of(home, ".docker/run/docker.sock"),
                                Path.of(home, ".testcontainers.properties"))
                        .anyMatch(Files::exists)
                || Host.isWindows();
        return sign && Docker.class.getResource("/org/testcontainers/DockerClientFactory.class") != null;
    }

    /** Inside a container without a registry the question never returns: then the host's own servers serve as well. */
    private static boolean answers() {
        return CompletableFuture.supplyAsync(
                        () -> DockerClientFactory.instance().isDockerAvailable())
                .completeOnTimeout(false, 60, TimeUnit.SECONDS)
                .join();
    }
}
