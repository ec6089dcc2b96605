package io.idempotency.benchmarks.peers;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What a store of adzubla keeps. */
interface AdzublaStore {

    /** Where a request goes, of whom, and its key. */
    record Key(String method, String path, String principal, String value) {}

    /** What a request is answered. */
    record Answer(int status, Map<String, List<String>> headers, byte[] body) {}

    /** The token of who may run it now, or what is there: without an answer it is in progress. */
    record Reservation(
            @Nullable String token,
            @Nullable String fingerprint,
            @Nullable Answer answer) {}

    Reservation reserve(Key key, String fingerprint);

    void complete(Key key, String token, Answer answer);

    /** The answer's headers, which both stores keep as JSON. */
    final class Headers {

        private static final JsonMapper MAPPER = JsonMapper.builder().build();
        private static final TypeReference<Map<String, List<String>>> TYPE = new TypeReference<>() {};

        private Headers() {}

        static String write(Map<String, List<String>> headers) {
            return MAPPER.writeValueAsString(headers);
        }

        static Map<String, List<String>> read(@Nullable String json) {
            return json == null ? Map.of() : MAPPER.readValue(json, TYPE);
        }
    }
}
