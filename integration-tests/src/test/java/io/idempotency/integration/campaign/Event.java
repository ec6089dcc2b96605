package io.idempotency.integration.campaign;

/** What the campaign saw, in one line of its history. Times are the machine's clock, in milliseconds. */
sealed interface Event {

    String SEPARATOR = "\t";

    /** The key that it is about, empty for a fault. A client's key includes the client. */
    String key();

    /** When it happened. */
    long atMs();

    /** One line without its end. */
    String line();

    /** What a caller can be told. */
    enum Answer {
        RESULT,
        /** The outcome of the key is unknown and the body is not run again. */
        UNKNOWN,
        /** Refused for now: this call ran no body. */
        DID_NOT_RUN,
        /** Refused because the key belongs to another payload: this call ran no body. */
        OTHER_PAYLOAD,
        /** The body's own failure, a remembered one, or an answer that promises nothing. */
        FAILED,
        /** The answer did not arrive. */
        LOST
    }

    /**
     * A caller got an answer.
     *
     * @param call unique to the call
     * @param key what it was called with
     * @param payload the arguments that are compared
     * @param answer its kind
     * @param value the result as it was received, or the refusal's code
     * @param tookMs how long the caller waited
     * @param atMs when it was received
     */
    record Told(String call, String key, String payload, Answer answer, String value, long tookMs, long atMs)
            implements Event {

        /** When the call began. */
        long sinceMs() {
            return atMs - tookMs;
        }

        @Override
        public String line() {
            return String.join(
                    SEPARATOR,
                    "told",
                    call,
                    key,
                    payload,
                    answer.name(),
                    value,
                    Long.toString(tookMs),
                    Long.toString(atMs));
        }
    }

    /**
     * An effect was applied outside of the library's tables.
     *
     * @param run unique to one start of the body; also its result
     * @param call the call that ran the body
     * @param key what it was called with
     * @param payload the arguments that are compared
     * @param fence the claim's fence
     * @param atMs when the body started
     */
    record Effect(String run, String call, String key, String payload, long fence, long atMs) implements Event {
        @Override
        public String line() {
            return String.join(SEPARATOR, "effect", run, call, key, payload, Long.toString(fence), Long.toString(atMs));
        }
    }

    /**
     * Something was made to fail.
     *
     * @param fault what
     * @param atMs when
     */
    record Happened(Fault fault, long atMs) implements Event {
        @Override
        public String key() {
            return "";
        }

        @Override
        public String line() {
            return String.join(SEPARATOR, "fault", fault.name(), Long.toString(atMs));
        }
    }

    /** Reads a line. */
    static Event of(String line) {
        String[] part = line.split(SEPARATOR, -1);
        return switch (part[0]) {
            case "told" ->
                new Told(
                        part[1],
                        part[2],
                        part[3],
                        Answer.valueOf(part[4]),
                        part[5],
                        Long.parseLong(part[6]),
                        Long.parseLong(part[7]));
            case "effect" ->
                new Effect(part[1], part[2], part[3], part[4], Long.parseLong(part[5]), Long.parseLong(part[6]));
            case "fault" -> new Happened(Fault.valueOf(part[1]), Long.parseLong(part[2]));
            default -> throw new IllegalArgumentException("Not a line of a history: " + line);
        };
    }
}
