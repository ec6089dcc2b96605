package io.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A Redis server of this test's own. */
final class LocalRedis implements AutoCloseable {

    private final Path directory;
    private final List<String> command;
    private final int port;
    private Process process;

    LocalRedis(String... settings) throws IOException {
        directory = Files.createTempDirectory("redis");
        port = freePort();
        command = new ArrayList<>(List.of(
                binary().toString(),
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                "" + directory));
        command.addAll(List.of(settings));
        start();
    }

    int port() {
        return port;
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void start() throws IOException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        while (!answers()) {
            if (!process.isAlive()) {
                throw new IOException(Files.readString(directory.resolve("log")));
            }
            Thread.onSpinWait();
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("PING\r\n".getBytes());
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        kill();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static Path binary() throws IOException {
        Path file = Files.createTempFile("redis-server", "");
        try (InputStream in = LocalRedis.class.getResourceAsStream("/redis-server-7.0.15-linux-amd64")) {
            Files.copy(in, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
