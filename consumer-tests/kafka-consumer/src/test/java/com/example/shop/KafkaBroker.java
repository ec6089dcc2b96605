package com.example.shop;

import io.idempotency.test.servers.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** A Kafka broker in a JVM of its own, which is its own controller and listens on the loopback interface. */
final class KafkaBroker implements AutoCloseable {

    private final Process process;
    private final int port;

    private KafkaBroker(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static KafkaBroker start(Path directory) {
        int port = FreePort.next();
        int controller = FreePort.next();
        Path settings = directory.resolve("server.properties");
        try {
            Files.writeString(settings, """
                    process.roles=broker,controller
                    node.id=1
                    controller.quorum.voters=1@127.0.0.1:%2$d
                    listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                    advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                    controller.listener.names=CONTROLLER
                    listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                    log.dirs=%3$s
                    offsets.topic.replication.factor=1
                    offsets.topic.num.partitions=1
                    group.initial.rebalance.delay.ms=0
                    """.formatted(port, controller, directory.resolve("log")));
            java(directory, "kafka.tools.StorageTool", "format", "-t", Uuid.randomUuid().toString(), "-c", settings.toString())
                    .waitFor();
            return new KafkaBroker(java(directory, "kafka.Kafka", settings.toString()), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Process java(Path directory, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("output").toFile())).start();
    }

    /** The address that clients are given. */
    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
