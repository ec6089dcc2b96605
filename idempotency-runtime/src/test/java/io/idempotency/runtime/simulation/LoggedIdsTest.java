package io.idempotency.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Whatever goes wrong, logs have eight digits of a record's id: without a secret, who reads a whole id there can compute the keys
 * that bodies send to other systems.
 */
class LoggedIdsTest {

    private static final int SEEDS = 2000;

    /** Longer than a fence, and shorter than an id or a fingerprint. */
    private static final Pattern WHOLE = Pattern.compile("[0-9a-f]{24}");

    /** Keeps who spoke, and what should not have been said. */
    private static final class Heard extends AppenderBase<ILoggingEvent> {
        private final Set<String> speakers = new TreeSet<>();
        private final Set<String> whole = new TreeSet<>();

        @Override
        protected void append(ILoggingEvent event) {
            String line = event.getFormattedMessage()
                    + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
            speakers.add(event.getLoggerName().replaceAll(".*\\.", ""));
            if (WHOLE.matcher(line).find()) {
                whole.add(event.getLoggerName() + ": " + line);
            }
        }
    }

    @Test
    void noLineOfAnyRunHasMoreThanTheFirstDigits() {
        Logger library = (Logger) LoggerFactory.getLogger("io.idempotency");
        Heard heard = new Heard();
        heard.start();
        Level before = library.getLevel();
        library.setLevel(Level.DEBUG);
        library.setAdditive(false); // ten thousands of lines
        library.addAppender(heard);
        try {
            for (long seed = 0; seed < SEEDS; seed++) {
                Simulation.run(seed, Sabotage.NONE, false);
            }
        } finally {
            library.detachAppender(heard);
            library.setAdditive(true);
            library.setLevel(before);
        }
        assertThat(heard.whole).isEmpty();
        assertThat(heard.speakers).contains("BodyExecution", "LeaseKeeper", "Unrecorded", "calls", "ResultEncoder");
    }
}
