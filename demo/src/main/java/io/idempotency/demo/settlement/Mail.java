package io.idempotency.demo.settlement;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a mail server would be: keeps what was sent, and logs it. Thread-safe. */
@Singleton
class Mail {

    private static final Logger LOG = LoggerFactory.getLogger(Mail.class);

    private final List<String> subjects = new CopyOnWriteArrayList<>();

    void send(String to, String subject, String text) {
        subjects.add(subject);
        LOG.info("Mail to {}: {} ({})", to, subject, text);
    }

    List<String> subjects() {
        return List.copyOf(subjects);
    }
}
