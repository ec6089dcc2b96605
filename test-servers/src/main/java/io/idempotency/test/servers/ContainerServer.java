package io.idempotency.test.servers;

import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A server that runs in a container. With {@link Docker} the only class that names Testcontainers' types. */
final class ContainerServer implements RunningServer {

    private final GenericContainer<?> container;
    private final int innerPort;

    private ContainerServer(GenericContainer<?> container, int innerPort) {
        this.container = container;
        this.innerPort = innerPort;
        container.start();
    }

    /** The image's entry point starts a first server for its set-up: ready is said twice. */
    static ContainerServer postgres(String image, String password, List<String> settings) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withEnv("POSTGRES_PASSWORD", password)
                .withExposedPorts(5432)
                .waitingFor(Wait.forLogMessage(".*ready to accept connections.*\\s", 2));
        return new ContainerServer(container.withCommand(command("postgres", settings)), 5432);
    }

    static ContainerServer mariaDb(String image, String database, String password, List<String> settings) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withEnv("MARIADB_ROOT_PASSWORD", password)
                .withEnv("MARIADB_DATABASE", database)
                .withExposedPorts(3306)
                // the first server, which sets things up, says port 0
                .waitingFor(Wait.forLogMessage(".*port: 3306.*\\s", 1));
        return new ContainerServer(container.withCommand(command("mariadbd", settings)), 3306);
    }

    static ContainerServer redis(String image, List<String> settings) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withExposedPorts(6379)
                .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\s", 1));
        return new ContainerServer(container.withCommand(command("redis-server", settings)), 6379);
    }

    private static String[] command(String server, List<String> settings) {
        List<String> command = new ArrayList<>(List.of(server));
        command.addAll(settings);
        return command.toArray(String[]::new);
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return container.getMappedPort(innerPort);
    }

    @Override
    public void kill() {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void pause() {
        container
                .getDockerClient()
                .pauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void resume() {
        container
                .getDockerClient()
                .unpauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException(
                "A restarted container gets another port. Start the server with onHost() to restart it.");
    }

    @Override
    public void close() {
        container.stop();
    }
}
