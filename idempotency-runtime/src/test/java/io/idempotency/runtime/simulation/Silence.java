package io.idempotency.runtime.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** What goes wrong in a hundred thousand runs is not logged. */
final class Silence implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.idempotency");
    private final Level before = logger.getLevel();

    Silence() {
        logger.setLevel(Level.OFF);
    }

    @Override
    public void close() {
        logger.setLevel(before);
    }
}
