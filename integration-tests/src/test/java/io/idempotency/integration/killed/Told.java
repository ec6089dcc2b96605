package io.idempotency.integration.killed;

/**
 * What a caller was told.
 *
 * @param key that it called with
 * @param call this call, of all calls
 * @param what in short
 * @param value the result, or the exception
 * @param atMs when it was told, by the machine's clock
 */
record Told(String key, String call, What what, String value, long atMs) {

    private static final String SEPARATOR = "\t";

    enum What {
        RESULT,
        UNKNOWN,
        /** Refused: this call did nothing. */
        NOTHING_DONE,
        /** The body's own failure, or something about which nothing is promised. */
        FAILED
    }

    String line() {
        return String.join(SEPARATOR, key, call, what.name(), value, Long.toString(atMs));
    }

    static Told of(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        return new Told(parts[0], parts[1], What.valueOf(parts[2]), parts[3], Long.parseLong(parts[4]));
    }
}
