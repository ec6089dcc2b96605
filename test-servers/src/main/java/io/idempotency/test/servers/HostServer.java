package io.idempotency.test.servers;

import java.nio.file.Path;
import java.util.List;

/** A server that runs as a process of the host, with a directory of its own that is deleted when it is closed. */
final class HostServer implements RunningServer {

    /** All that is needed to start it, and to start it again on the same data. */
    record Launch(
            List<String> asUser, List<String> command, Path directory, int port, String readyLine, String stopSignal) {

        private ServerProcess start() {
            return ServerProcess.start(asUser, command, directory, readyLine);
        }

        private void cleanUp() {
            Directories.delete(directory);
            Directories.delete(ServerProcess.logOf(directory));
        }
    }

    private final Launch launch;
    private final Thread atExit = new Thread(this::end, "stop-test-server");
    private ServerProcess process;

    HostServer(Launch launch) {
        this.launch = launch;
        try {
            this.process = launch.start();
        } catch (RuntimeException e) {
            launch.cleanUp();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return launch.port();
    }

    @Override
    public synchronized void kill() {
        process.kill();
    }

    @Override
    public synchronized void pause() {
        process.pause();
    }

    @Override
    public synchronized void resume() {
        process.resume();
    }

    @Override
    public synchronized void restart() {
        process.stop(launch.stopSignal());
        process = launch.start();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        end();
    }

    private synchronized void end() {
        process.stop(launch.stopSignal());
        launch.cleanUp();
    }
}
