package io.idempotency.http.server.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes every form of a JSON document as one text: members in the order of their names, no white
 * space, strings without needless escapes (RFC 8785), numbers by value, of any precision. A document
 * that two readers may understand differently has no such text: one that is not JSON to the letter
 * (RFC 8259), or has a name twice or half a surrogate pair. A mapper to objects is more lenient, and
 * rounds.
 */
final class CanonicalJson {

    private static final int DEEPEST = 200;

    /** Longer numbers take long to compute. */
    private static final int LONGEST_NUMBER = 1000;

    /** The server limits the length of a document; names are no symbols that other documents share. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private CanonicalJson() {}

    /** The text in UTF-8; empty where there is none. */
    static Optional<byte[]> of(byte[] document) {
        try {
            // unlike a String's constructor this puts nothing in the place of what is no UTF-8
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(document))
                    .toString();
            StringBuilder canonical = new StringBuilder(text.length());
            try (JsonParser json = FACTORY.createParser(text)) {
                value(json, json.nextToken(), canonical);
                require(json.nextToken() == null);
            }
            return Optional.of(canonical.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException | ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static void require(boolean fulfilled) throws IOException {
        if (!fulfilled) {
            throw new IOException("not strict");
        }
    }

    private static void value(JsonParser json, JsonToken token, StringBuilder canonical) throws IOException {
        require(token != null);
        switch (token) {
            case START_OBJECT -> object(json, canonical);
            case START_ARRAY -> array(json, canonical);
            case VALUE_STRING -> canonical.append(quoted(json.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                require(json.getTextLength() <= LONGEST_NUMBER); // also with its exponent
                canonical.append(new BigDecimal(json.getText()).stripTrailingZeros());
            }
            default -> canonical.append(json.getText());
        }
    }

    private static void object(JsonParser json, StringBuilder canonical) throws IOException {
        Map<String, StringBuilder> members = new TreeMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            StringBuilder member = new StringBuilder();
            members.put(quoted(json.getText()), member);
            value(json, json.nextToken(), member);
        }
        canonical.append('{');
        members.forEach((name, member) ->
                canonical.append(name).append(':').append(member).append(','));
        canonical.append('}');
    }

    private static void array(JsonParser json, StringBuilder canonical) throws IOException {
        canonical.append('[');
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            value(json, token, canonical);
            canonical.append(',');
        }
        canonical.append(']');
    }

    /** A string in quotes, in which only quotes and backslashes are escaped. */
    private static String quoted(String text) throws IOException {
        require(text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
