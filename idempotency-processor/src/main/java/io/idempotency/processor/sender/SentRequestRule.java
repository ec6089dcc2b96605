package io.idempotency.processor.sender;

import io.idempotency.processor.rule.Problems;

/** There must be a request for the key to go with. */
final class SentRequestRule implements SenderRule {

    @Override
    public void check(SenderMethod method, Problems problems) {
        if (!method.isMarkedItself() || !method.isDeclarative()) {
            return;
        }
        if (method.httpMethod().isEmpty()) {
            method.error(
                    problems,
                    "this method of a client makes no request of its own, so no key would be sent. Put"
                            + " @SendsIdempotencyKey on the methods that it calls.");
        }
        if (method.isSafe()) {
            method.warning(
                    problems,
                    method.httpMethod().orElse("")
                            + " is safe: it can be repeated as it is, and no key is sent with it."
                            + " Remove @SendsIdempotencyKey.");
        }
        if (method.sets("service")) {
            method.error(
                    problems,
                    "service = … is for methods that call a low-level client; this one is its client's"
                            + " own. Remove it.");
        }
    }
}
