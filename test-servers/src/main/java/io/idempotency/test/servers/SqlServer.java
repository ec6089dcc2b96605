package io.idempotency.test.servers;

/** A database server that a test started. */
public abstract sealed class SqlServer extends TestServer permits PostgresServer, MariaDbServer {

    static final String PASSWORD = "test";

    private final String urlPrefix;
    private final String database;
    private final String user;

    SqlServer(RunningServer server, String urlPrefix, String database, String user) {
        super(server);
        this.urlPrefix = urlPrefix;
        this.database = database;
        this.user = user;
    }

    /**
     * Where JDBC finds an empty database.
     *
     * @return a URL without user, password and parameters
     */
    public final String url() {
        return urlPrefix + host() + ":" + port() + "/" + database;
    }

    /**
     * The superuser.
     *
     * @return its name
     */
    public final String user() {
        return user;
    }

    /**
     * The superuser's password.
     *
     * @return never empty
     */
    public final String password() {
        return PASSWORD;
    }
}
