package io.idempotency.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A way to get a script executed where its key is. */
sealed interface Transport permits DirectTransport, AcknowledgedTransport {

    /**
     * What came back.
     *
     * @param reply what the script returned
     * @param acknowledged whether as many replicas as required have what it wrote
     */
    record Answer(List<?> reply, boolean acknowledged) {}

    /** Runs a script by its digest; fails with NOSCRIPT, and without effect, where the server does not know it. */
    CompletionStage<Answer> byDigest(Script script, String key, byte[][] arguments);

    /** Runs a script and makes it known to the server. */
    CompletionStage<Answer> bySource(Script script, String key, byte[][] arguments);
}
