package io.idempotency.test.servers;

import io.micronaut.core.io.socket.SocketUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A port that nobody listens on, nor will before the server that it is for: until this JVM ends it is given to no other test, in this
 * JVM or in those beside it, each of which locks a byte of one file for each port that it gives away.
 */
public final class FreePort {

    private static final FileChannel GIVEN_AWAY = open();

    private FreePort() {}

    /** Below those that systems give to connections, one of which could take it before it is listened on. */
    public static int next() {
        int port = SocketUtils.findAvailableTcpPort(15_000, 30_000);
        while (!lock(port)) {
            port = SocketUtils.findAvailableTcpPort(15_000, 30_000);
        }
        return port;
    }

    private static boolean lock(int port) {
        try {
            return GIVEN_AWAY.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("Port " + port + " could not be locked", e);
        }
    }

    private static FileChannel open() {
        String name = "idempotency-test-ports-of-" + System.getProperty("user.name");
        try {
            return FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), name),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("The file that locks ports could not be opened", e);
        }
    }
}
