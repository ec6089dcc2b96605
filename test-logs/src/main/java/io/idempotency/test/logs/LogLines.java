package io.idempotency.test.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What is logged from now on until this is closed, by whichever thread. */
public final class LogLines implements AutoCloseable {

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final @Nullable Level before;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    private LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        appender.start();
        logger.addAppender(appender);
    }

    /** Of the whole library. */
    public static LogLines ofLibrary() {
        return of("io.idempotency");
    }

    /** Of one class. */
    public static LogLines of(Class<?> speaker) {
        return of(speaker.getName());
    }

    /** Of one class or package. */
    public static LogLines of(String name) {
        return new LogLines(name);
    }

    /** Also hears what is not logged otherwise. */
    public LogLines from(Level level) {
        logger.setLevel(level);
        return this;
    }

    /** What one class logs meanwhile. */
    public static List<ILoggingEvent> during(Class<?> speaker, Runnable action) {
        try (LogLines lines = of(speaker)) {
            action.run();
            return lines.events();
        }
    }

    /** All so far. */
    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** The messages so far. */
    public List<String> messages() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The messages of one level. */
    public List<String> messages(Level level) {
        return events.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** A line as an operator sees it, with whatever stack traces it has. */
    public static String text(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getFormattedMessage() + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown));
    }

    /** Forgets all so far. */
    public void clear() {
        events.clear();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
    }
}
