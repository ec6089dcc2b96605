package io.idempotency.integration.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Requests of any bytes: no client library repairs or refuses them. */
record RawHttp(int port) {

    /** An answer; the status is 0 where the connection was closed without one. */
    record Answer(int status, String head, String body) {}

    /**
     * Sends one POST.
     *
     * @param path its path
     * @param header lines of the head, without the last line's end
     * @param body its content
     */
    Answer post(String path, byte[] header, byte[] body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(ascii("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                    + body.length + "\r\n"));
            request.write(header);
            request.write(ascii("\r\n\r\n"));
            request.write(body);
            out.write(request.toByteArray());
            out.flush();
            return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (SocketException closed) { // while there was more to send
            return new Answer(0, "", "");
        }
    }

    private static Answer answer(String all) {
        if (!all.startsWith("HTTP/1.1 ")) {
            return new Answer(0, "", all);
        }
        int end = all.indexOf("\r\n\r\n");
        return new Answer(Integer.parseInt(all.substring(9, 12)), all.substring(0, end), all.substring(end + 4));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
