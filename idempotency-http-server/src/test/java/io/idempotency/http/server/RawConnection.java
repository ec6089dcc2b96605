package io.idempotency.http.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** HTTP/1.1 by hand, for what no client would send. */
final class RawConnection implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    RawConnection(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** An answer: its head as it came, and its body. */
    record Answer(int status, String head, String body) {
        boolean closes() {
            return head.toLowerCase(Locale.ROOT).contains("connection: close");
        }
    }

    /**
     * Sends a request.
     *
     * @param headers header lines, each with its end of line; sent as Latin-1
     */
    Answer post(String path, String headers, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + content.length + "\r\n" + headers + "\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.ISO_8859_1));
        return answer();
    }

    private Answer answer() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + head);
            }
            head.append((char) next);
        }
        int status = Integer.parseInt(head.substring(9, 12));
        String lower = head.toString().toLowerCase(Locale.ROOT);
        int length = lower.indexOf("content-length: ");
        byte[] body = {};
        if (length >= 0) {
            int start = length + "content-length: ".length();
            body = in.readNBytes(Integer.parseInt(lower.substring(start, lower.indexOf('\r', start))));
        }
        return new Answer(status, head.toString(), new String(body, StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
