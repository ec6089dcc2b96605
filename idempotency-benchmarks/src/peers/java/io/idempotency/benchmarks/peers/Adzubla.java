package io.idempotency.benchmarks.peers;

import io.idempotency.benchmarks.Charges.Charge;
import io.idempotency.benchmarks.Charges.Receipt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * adzubla/blocks-idempotency 0.1.0 of July 2026: an interceptor of Spring MVC's handlers. Each request's body is read as JSON and written
 * again with its members sorted, for the fingerprint; the key is reserved with a token; the answer's bytes and headers are kept. There is
 * no web server here, which makes it faster than the original: body and answer are bytes that cost next to nothing to make,
 * since a web framework reads and writes them without this library too; nothing copies them, and a replay gives the bytes and decodes
 * no result. An interceptor of handlers needs no proxy, so there is none.
 */
final class Adzubla {

    private static final Map<String, List<String>> HEADERS = Map.of("Content-Type", List.of("application/json"));

    private static final JsonMapper CANONICAL = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final AdzublaStore store;
    private final Function<Charge, Receipt> body;

    Adzubla(AdzublaStore store, Function<Charge, Receipt> body) {
        this.store = store;
        this.body = body;
    }

    /** The answer's bytes. */
    byte[] charge(Charge charge) {
        byte[] request = json(charge);
        AdzublaStore.Key key = new AdzublaStore.Key("POST", "/charges", "", charge.id());
        byte[] canonical = CANONICAL.writeValueAsBytes(CANONICAL.readValue(request, Object.class));
        String fingerprint = HexFormat.of().formatHex(digest(bytes(key.method()), bytes(key.path()), canonical));
        AdzublaStore.Reservation reservation = store.reserve(key, fingerprint);
        String token = reservation.token();
        if (token != null) {
            AdzublaStore.Answer answer = new AdzublaStore.Answer(200, HEADERS, json(body.apply(charge)));
            store.complete(key, token, answer);
            return answer.body();
        }
        AdzublaStore.Answer answer = reservation.answer();
        if (!fingerprint.equals(reservation.fingerprint()) || answer == null) {
            throw new IllegalStateException("Another request, or in progress, and nothing waits here: " + key);
        }
        return answer.body();
    }

    static byte[] digest(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < parts.length; i++) {
                if (i > 0) {
                    digest.update((byte) 0);
                }
                digest.update(parts[i]);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] json(Charge charge) {
        return bytes("{\"id\":\"" + charge.id() + "\",\"orderId\":\"" + charge.orderId() + "\",\"amount\":"
                + charge.amount() + ",\"currency\":\"" + charge.currency() + "\",\"customer\":\"" + charge.customer()
                + "\",\"email\":\"" + charge.email() + "\",\"street\":\"" + charge.street() + "\",\"city\":\""
                + charge.city() + "\",\"country\":\"" + charge.country() + "\",\"created\":" + charge.created()
                + ",\"quantity\":" + charge.quantity() + ",\"express\":" + charge.express() + "}");
    }

    private static byte[] json(Receipt receipt) {
        return bytes("{\"id\":\"" + receipt.id() + "\",\"orderId\":\"" + receipt.orderId() + "\",\"amount\":"
                + receipt.amount() + ",\"currency\":\"" + receipt.currency() + "\",\"status\":\"" + receipt.status()
                + "\"}");
    }
}
