package io.idempotency.http.server.route;

/** What lies behind a route answered that it did not get an answer itself, so that nobody knows what was done. */
final class UndecidedAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UndecidedAnswerException(int status) {
        super("the route answered " + status + ", which leaves open what was done", null, false, false);
    }
}
