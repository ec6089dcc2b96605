package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.ChildJvm;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file: what was answered is there after the JVM died on the spot, without closing anything. */
@Tag("thorough")
class CrashTest {

    private static final int KILLED = 137;

    @TempDir
    Path directory;

    @Test
    void aClaimThatWasAnsweredSurvivesTheDeathOfItsJvm() throws Exception {
        dieAfter("claim");
        try (ApplicationContext application = place(directory).application()) {
            assertThat(Calls.find(store(application), "key"))
                    .get()
                    .extracting(StoredRecord::state)
                    .isEqualTo(RecordState.IN_PROGRESS);
            assertThat(Calls.get(store(application).claim(Calls.claim("key"))))
                    .isInstanceOf(ClaimResult.Duplicate.class);
        }
    }

    /** H2 keeps the setting WRITE_DELAY, but obeys it only where it is set again. */
    @Test
    void aClaimOfASecondStartSurvivesToo() throws Exception {
        try (ApplicationContext application = place(directory).application()) {
            store(application);
        }
        dieAfter("claim");
        try (ApplicationContext application = place(directory).application()) {
            assertThat(Calls.find(store(application), "key")).isPresent();
        }
    }

    @Test
    void aResultThatWasRecordedSurvivesTheDeathOfItsJvm() throws Exception {
        dieAfter("complete");
        try (ApplicationContext application = place(directory).application()) {
            assertThat(Calls.find(store(application), "key"))
                    .get()
                    .extracting(StoredRecord::result)
                    .isEqualTo(Calls.RESULT);
        }
    }

    private void dieAfter(String verb) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(ChildJvm.command(CrashTest.class, directory.toString(), verb))
                .inheritIO()
                .start();
        assertThat(child.waitFor()).isEqualTo(KILLED);
    }

    private static Place place(Path directory) {
        return Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records");
    }

    /** The JVM that dies: no shutdown hook runs, no file is closed. */
    public static void main(String[] arguments) {
        ApplicationContext application = place(Path.of(arguments[0])).application();
        IdempotencyStore store = store(application);
        Ownership own = Calls.own(store, Calls.claim("key"));
        if (arguments[1].equals("complete")) {
            Calls.get(store.complete(own, Calls.RESULT, Calls.RETENTION));
        }
        Runtime.getRuntime().halt(KILLED);
    }
}
