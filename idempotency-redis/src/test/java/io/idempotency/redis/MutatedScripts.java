package io.idempotency.redis;

import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in front of a server and asks it for other scripts than it is asked for: of a script it exchanges the digest, which is as
 * long as the other one. Each mutant has a server of its own, because what one leaves behind fails the tests of the next.
 */
final class MutatedScripts implements AutoCloseable {

    /** The address to which the tests' applications go instead of their server's. */
    static final String INSTEAD = "idempotency.test.redis.mutated";

    private static final String BEFORE = "$40\r\n";

    private final ServerSocket door;
    private final Map<String, String> others = new ConcurrentHashMap<>();
    private volatile RedisServer server = RedisServer.start();

    MutatedScripts() {
        try {
            door = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inBackground(() -> {
            while (!door.isClosed()) {
                Socket near = door.accept();
                Socket far = new Socket(server.host(), server.port());
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                inBackground(() -> pass(near, far, true));
                inBackground(() -> pass(far, near, false));
            }
        });
        System.setProperty(INSTEAD, "redis://127.0.0.1:" + door.getLocalPort());
    }

    void install(Map<Script, String> sources) {
        server.close();
        server = RedisServer.start();
        others.clear();
        try (RedisClient client = RedisClient.create(server.uri())) {
            RedisCommands<String, String> redis = client.connect().sync();
            sources.forEach((script, source) -> others.put(script.digest(), redis.scriptLoad(source)));
        }
    }

    private void pass(Socket from, Socket to, boolean asked) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[1 << 16];
            String kept = "";
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                String text = kept + new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                int cut = asked ? text.lastIndexOf(BEFORE) : -1;
                boolean whole = cut < 0 || cut + BEFORE.length() + 40 <= text.length();
                kept = whole ? "" : text.substring(cut); // the rest of the digest follows
                String sent = exchanged(whole ? text : text.substring(0, cut), asked);
                out.write(sent.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        }
    }

    private String exchanged(String text, boolean asked) {
        String sent = text;
        if (asked && text.contains(BEFORE)) {
            for (Map.Entry<String, String> other : others.entrySet()) {
                sent = sent.replace(BEFORE + other.getKey(), BEFORE + other.getValue());
            }
        }
        return sent;
    }

    /** Something that may fail because a connection has ended. */
    private interface Task {
        void run() throws IOException;
    }

    private static void inBackground(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // the other side has gone
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(INSTEAD);
        door.close();
        server.close();
    }
}
