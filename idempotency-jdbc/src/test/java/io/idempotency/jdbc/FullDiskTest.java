package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of H2 on a disk that gets full: what was acknowledged is there after a restart, and nothing else is. */
class FullDiskTest {

    private static final AtomicBoolean FULL = new AtomicBoolean();

    private final Disk disk = new Disk();

    @TempDir
    Path directory;

    @BeforeEach
    void mount() {
        FilePath.register(disk);
    }

    @AfterEach
    void unmount() {
        FULL.set(false);
        FilePath.unregister(disk);
    }

    @Test
    void noClaimThatWasAcknowledgedIsForgotten() {
        try (ApplicationContext application = place().application()) {
            store(application);
        }
        List<String> acknowledged = new ArrayList<>(List.of("before"));
        try (ApplicationContext application = place().application("datasources.default.register-mbeans", true)) {
            IdempotencyStore store = store(application);
            own(store, claim("before"));
            FULL.set(true);
            while (acknowledges(store, Place.fresh())) {
                // what is left of the file's own room
            }
            replaceConnections();
            IntStream.range(0, 60)
                    .mapToObj(i -> "key" + i)
                    .filter(key -> acknowledges(store, key))
                    .forEach(acknowledged::add);
        }
        FULL.set(false);
        try (ApplicationContext application = place().application()) {
            IdempotencyStore store = store(application);
            assertThat(acknowledged).allMatch(key -> Calls.find(store, key).isPresent());
            own(store, claim("after"));
        }
    }

    @Test
    void theStoreStaysShutWhenThereIsRoomAgain() {
        try (ApplicationContext application = place().application()) {
            IdempotencyStore store = store(application);
            FULL.set(true);
            while (acknowledges(store, Place.fresh())) {
                // what is left of the file's own room
            }
            FULL.set(false);
            assertThatThrownBy(() -> get(store.claim(claim("after"))))
                    .as("H2 would answer again, but not write at once")
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("shut until the application is started again")
                    .hasMessageContaining("datasources.default")
                    .hasMessageContaining("the body did not run");
        }
    }

    @Test
    void anOutcomeThatFindsNoRoomDoesNotFreeItsKey() {
        try (ApplicationContext application = place().application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            FULL.set(true);
            while (acknowledges(store, Place.fresh())) {
                // what is left of the file's own room
            }
            StoredResult large = new StoredResult.Present(new byte[1 << 20]);
            assertThatThrownBy(() -> get(store.complete(own, large, Calls.RETENTION)))
                    .isInstanceOf(JdbcStoreException.class);
        }
        FULL.set(false);
        try (ApplicationContext application = place().application()) {
            IdempotencyStore store = store(application);
            assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(Calls.find(store, "key"))
                    .get()
                    .extracting(StoredRecord::state)
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
    }

    /** As the pool does when they have lived long enough. */
    private static void replaceConnections() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.zaxxer.hikari:type=Pool (idempotency-default)"),
                            "softEvictConnections",
                            null,
                            null);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private Place place() {
        return Place.h2("jdbc:h2:" + Disk.SCHEME + ":" + directory.toAbsolutePath() + "/records");
    }

    private static boolean acknowledges(IdempotencyStore store, String key) {
        try {
            return get(store.claim(claim(key))) instanceof ClaimResult.Acquired;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    /** Files of the ordinary kind, which grow no more when the disk is full. H2 makes copies of it, hence the static. */
    public static final class Disk extends FilePathWrapper {

        static final String SCHEME = "disk";

        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileChannel open(String mode) throws IOException {
            return new Limited(super.open(mode));
        }
    }

    private static final class Limited extends FileBaseDefault {

        private final FileChannel file;

        Limited(FileChannel file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            if (FULL.get() && position + source.remaining() > file.size()) {
                throw new IOException("No space left on device");
            }
            return file.write(source, position);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            file.force(metadata);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
