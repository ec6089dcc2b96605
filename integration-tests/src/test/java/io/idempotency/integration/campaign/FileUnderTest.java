package io.idempotency.integration.campaign;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** H2 in a file, for the one node that may open it. Only the node dies. */
final class FileUnderTest implements StoreUnderTest {

    private final Path file;

    FileUnderTest(Path directory) {
        this.file = directory.resolve("keys");
    }

    @Override
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "jdbc");
        properties.put("redis.enabled", false);
        properties.put("datasources.default.url", "jdbc:h2:file:" + file.toAbsolutePath() + ";DB_CLOSE_ON_EXIT=FALSE");
        return properties;
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties();
    }

    @Override
    public Set<Fault> faults() {
        return Set.of();
    }

    @Override
    public void happen(Fault fault) {
        throw new IllegalArgumentException(fault + " cannot happen to a file");
    }

    @Override
    public List<Event.Effect> bookings() {
        return List.of();
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return "H2 in a file";
    }
}
