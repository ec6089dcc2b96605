package io.idempotency.test.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** As much of a Redis client as these tests need: inline commands with one-line replies. */
final class RespClient implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    RespClient(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** For a reply that is not expected: how long to look out for it. */
    RespClient expectingSilence() throws IOException {
        socket.setSoTimeout(500);
        return this;
    }

    RespClient expectingReplies() throws IOException {
        socket.setSoTimeout(20_000);
        return this;
    }

    String call(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        String line = in.readLine();
        if (line == null) {
            throw new IOException("The connection was closed");
        }
        return line.startsWith("$") ? String.valueOf(in.readLine()) : line;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
