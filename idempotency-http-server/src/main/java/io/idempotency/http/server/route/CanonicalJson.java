package io.idempotency.http.server.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.idempotency.definition.FingerprintWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes equivalent JSON documents as the same text: members sorted by name, no white space, strings without needless
 * escapes (RFC 8785), numbers by value at any precision. A document that readers may interpret differently (RFC 8259: a
 * duplicate name, an unpaired surrogate) has no such text.
 */
final class CanonicalJson {

    private static final int DEEPEST = 200;
    private static final int LONGEST_NUMBER = 1000;

    /** Names and strings have no limit here, because the server limits the document. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private CanonicalJson() {}

    /** Returns the canonical text in UTF-8; empty where there is none. */
    static Optional<byte[]> of(byte[] document) {
        try {
            // unlike a String's constructor this fails for bytes that are not UTF-8
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document));
            StringBuilder canonical = new StringBuilder(text.length());
            try (JsonParser json = FACTORY.createParser(text.toString())) {
                require(json.nextToken() != null);
                value(json, canonical);
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

    private static void value(JsonParser json, StringBuilder canonical) throws IOException {
        switch (json.currentToken()) {
            case START_OBJECT -> object(json, canonical);
            case START_ARRAY -> {
                canonical.append('[');
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    value(json, canonical);
                    canonical.append(',');
                }
                canonical.append(']');
            }
            case VALUE_STRING -> canonical.append(quoted(json.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                require(json.getTextLength() <= LONGEST_NUMBER); // also with its exponent
                canonical.append(FingerprintWriter.stripped(new BigDecimal(json.getText())));
            }
            default -> canonical.append(json.getText());
        }
    }

    private static void object(JsonParser json, StringBuilder canonical) throws IOException {
        Map<String, StringBuilder> members = new TreeMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            StringBuilder member = new StringBuilder();
            require(members.put(quoted(json.getText()), member) == null);
            json.nextToken();
            value(json, member);
        }
        canonical.append('{');
        members.forEach((name, member) ->
                canonical.append(name).append(':').append(member).append(','));
        canonical.append('}');
    }

    private static String quoted(String text) throws IOException {
        require(text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
