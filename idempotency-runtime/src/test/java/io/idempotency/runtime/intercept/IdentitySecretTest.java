package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes of one store with different identity secrets would each run the body of one key. */
class IdentitySecretTest {

    private static final String PROPERTY = "idempotency.fingerprint.identity-secret";
    private static final Map<String, Object> SECRET = Map.of(PROPERTY, "the secret of all nodes");

    private final NodesOfOneStore nodes = new NodesOfOneStore();

    @AfterEach
    void stop() {
        nodes.close();
    }

    @ParameterizedTest
    @CsvSource({"the secret of one node only, That of this node is the one that makes", ", This node has none"})
    void aNodeWithAnotherSecretOrNoneDoesNotStart(String secret, String message) {
        nodes.start(SECRET).getBean(OrderService.class).derives("o-1");
        StoredRecord identity = nodes.records(RecordState.COMPLETED).stream()
                .filter(record -> record.operation().equals("idempotency-identity"))
                .findFirst()
                .orElseThrow();

        Map<String, Object> settings = secret == null ? Map.of() : Map.of(PROPERTY, secret);
        assertThatThrownBy(() -> nodes.start(settings))
                .hasStackTraceContaining(PROPERTY + " differs from that of the nodes that used the store")
                .hasStackTraceContaining(message)
                .hasStackTraceContaining("delete the record " + identity.id());
        assertThat(nodes.records(RecordState.COMPLETED)).hasSize(2);
        assertThat(identity.expiresAt()).isNull();
    }

    @Test
    void theDocumentedCommandsNameTheRecordThatIsToBeDeleted() throws IOException {
        nodes.start(SECRET);
        String id = nodes.records(RecordState.COMPLETED).get(0).id().value();
        assertThat(Files.readString(Path.of("../docs/security.md")))
                .contains("`DEL idempotency:{" + id.substring(0, 2) + "}" + id.substring(2) + "`");
    }

    @Test
    void nodesWithOneSecretAnswerEachOthersCalls() {
        String first = nodes.start(SECRET).getBean(OrderService.class).derives("o-1");
        assertThat(nodes.start(SECRET).getBean(OrderService.class).derives("o-1"))
                .isEqualTo(first);
        assertThat(nodes.records(RecordState.COMPLETED)).hasSize(2);
    }

    @Test
    void keysThatDifferInAnUnpairedSurrogateOnlyAreTwoKeys() {
        OrderService orders = nodes.start(SECRET).getBean(OrderService.class);
        assertThat(orders.derives("o-\ud800")).isNotEqualTo(orders.derives("o-\ud801"));
    }

    @Test
    void nodesWithoutASecretLeaveNoRecord() {
        nodes.start(Map.of());
        nodes.start(Map.of());
        assertThat(nodes.records(RecordState.COMPLETED)).isEmpty();
    }
}
