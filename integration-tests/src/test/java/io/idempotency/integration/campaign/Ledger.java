package io.idempotency.integration.campaign;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idempotency.integration.campaign.Event.Effect;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The world outside, in a process of its own: applies effects, and now and then applies one and hangs, answers 500, or drops the
 * connection, or refuses before it applies anything. Each applied effect is a line of its output. It can check fences.
 */
final class Ledger {

    static final String EFFECTS = "/effects";

    /** Of a hundred requests so many of each trouble. */
    private enum Trouble {
        DECLINED(3),
        REFUSED(1),
        HANGS(1),
        FAILS(1),
        DROPS(1);

        private final int percent;

        Trouble(int percent) {
            this.percent = percent;
        }
    }

    private record State(long fence, @Nullable String run) {}

    private final Map<String, State> keys = new HashMap<>();
    private final Random random;

    private Ledger(long seed) {
        this.random = new Random(seed);
    }

    /** The process: a seed. It prints its port. */
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        Ledger ledger = new Ledger(Long.parseLong(arguments[0]));
        server.createContext(EFFECTS, ledger::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        ChildOutput.say(ChildOutput.READY + server.getAddress().getPort());
        ChildOutput.endWithParent();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, String> sent = query(exchange.getRequestURI().getRawQuery());
        if (exchange.getRequestMethod().equals("GET")) {
            answer(exchange, 200, found(sent));
            return;
        }
        Trouble trouble = trouble();
        if (trouble == Trouble.DECLINED) {
            answer(exchange, 402, "declined");
        } else if (trouble == Trouble.REFUSED) {
            exchange.close();
        } else if (!applied(sent)) {
            answer(exchange, 409, "stale fence");
        } else if (trouble == Trouble.DROPS) {
            exchange.close();
        } else {
            if (trouble == Trouble.HANGS) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(8));
            }
            answer(exchange, trouble == Trouble.FAILS ? 500 : 201, sent.get("run"));
        }
    }

    private synchronized @Nullable Trouble trouble() {
        int one = random.nextInt(100);
        for (Trouble trouble : Trouble.values()) {
            one -= trouble.percent;
            if (one < 0) {
                return trouble;
            }
        }
        return null;
    }

    /** False where fences are checked and a higher one was seen. */
    private synchronized boolean applied(Map<String, String> sent) {
        String key = sent.get("key");
        long fence = Long.parseLong(sent.get("fence"));
        State known = keys.get(key);
        if (known != null && known.fence > fence && Boolean.parseBoolean(sent.get("checked"))) {
            return false;
        }
        keys.put(key, new State(known == null ? fence : Math.max(known.fence, fence), sent.get("run")));
        ChildOutput.say(new Effect(
                        sent.get("run"),
                        sent.get("call"),
                        key,
                        sent.get("payload"),
                        fence,
                        Long.parseLong(sent.get("at")))
                .line());
        return true;
    }

    /** The run of a key's effect, empty without one. From now on no effect with a lower fence is applied where fences are checked. */
    private synchronized String found(Map<String, String> sent) {
        long fence = Long.parseLong(sent.get("fence"));
        State known = keys.getOrDefault(sent.get("key"), new State(fence, null));
        keys.put(sent.get("key"), new State(Math.max(known.fence, fence), known.run));
        return known.run == null ? "" : known.run;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Map<String, String> query(String text) {
        Map<String, String> sent = new HashMap<>();
        for (String pair : text.split("&", -1)) {
            int at = pair.indexOf('=');
            sent.put(pair.substring(0, at), URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
        }
        return sent;
    }
}
