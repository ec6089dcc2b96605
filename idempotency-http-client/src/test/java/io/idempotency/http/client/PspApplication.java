package io.idempotency.http.client;

import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** An application that calls the scripted server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PspApplication implements TestPropertyProvider {

    static final PspClient.Order ORDER = new PspClient.Order("o-1", new BigDecimal("12.50"));

    final ScriptedServer server = new ScriptedServer();

    @Inject
    PspClient psp;

    @Inject
    RecordingTimer timer;

    @Override
    public Map<String, String> getProperties() {
        Map<String, String> properties = new HashMap<>();
        properties.put("test.psp", "true");
        properties.put("test.timer", "true");
        properties.put("micronaut.http.services.psp.url", server.url());
        properties.put("micronaut.http.services.other.url", server.url());
        return properties;
    }

    @BeforeEach
    void forget() {
        server.answer(ScriptedServer.Answer.created());
        timer.delays.clear();
        timer.interrupts = false;
        timer.cancelled.set(0);
        timer.open = CompletableFuture.completedFuture(null);
    }

    @AfterAll
    void stop() {
        server.close();
    }
}
