package io.idempotency.processor.plan;

/** Values as Java source spells them. */
public final class Literals {

    private Literals() {}

    /** A text as a literal, in ASCII so that the encoding of the compilation does not matter. */
    public static String text(String value) {
        StringBuilder literal = new StringBuilder("\"");
        for (char each : value.toCharArray()) {
            if (each == '"' || each == '\\') {
                literal.append('\\').append(each);
            } else if (each >= ' ' && each <= '~') {
                literal.append(each);
            } else {
                literal.append(String.format("\\u%04x", (int) each));
            }
        }
        return literal.append('"').toString();
    }
}
