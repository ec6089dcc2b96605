package io.idempotency.processor.source;

import java.util.Arrays;

/** Source text that grows line by line and indents itself. Not thread-safe. */
final class JavaText {

    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** A part of another text, at its depth. */
    JavaText part() {
        JavaText part = new JavaText();
        part.depth = depth;
        return part;
    }

    /** Adds a part. */
    JavaText add(JavaText part) {
        text.append(part.text);
        return this;
    }

    /** Adds lines at the current depth; an empty one stays empty. */
    JavaText lines(String... lines) {
        Arrays.stream(lines).forEach(line -> {
            if (!line.isEmpty()) {
                text.append(INDENT.repeat(depth)).append(line);
            }
            text.append('\n');
        });
        return this;
    }

    /** Adds a line that opens a block. */
    JavaText open(String line) {
        lines(line + " {");
        depth++;
        return this;
    }

    /** Ends the block. */
    JavaText close() {
        depth--;
        return lines("}");
    }

    /** An overriding method whose body is one return. */
    JavaText returning(String signature, String value) {
        return lines("", "@Override")
                .open("public " + signature)
                .lines("return " + value + ";")
                .close();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
