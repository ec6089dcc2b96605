package io.idempotency.jdbc;

import io.micronaut.context.ApplicationContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A driver in front of another one that prepares other statements than it is given. */
public final class MutatedStatements implements Driver {

    static final String PREFIX = "jdbc:mutated:";
    private static final String WANTED = "idempotency.test.jdbc.mutated";

    /** Stands for the tables of other tests. */
    private static final String TABLE = "idempotency_mutated";

    private static final Pattern FRESH = Pattern.compile("t_[0-9a-f]{32}");

    /** What drivers share they share by statics. */
    private static final Map<String, String> OTHERS = new ConcurrentHashMap<>();

    private static final Set<String> USED = ConcurrentHashMap.newKeySet();

    private static final Map<Place, ApplicationContext> SHARED = new ConcurrentHashMap<>();

    static void begin() throws SQLException {
        System.setProperty(WANTED, "true");
        DriverManager.registerDriver(new MutatedStatements());
    }

    static void end() {
        System.clearProperty(WANTED);
        OTHERS.clear();
        SHARED.values().forEach(ApplicationContext::close);
        SHARED.clear();
    }

    /** The application for all mutants: to start one takes longer than to notice most mutants. */
    static ApplicationContext shared(Place place, Supplier<ApplicationContext> application) {
        return SHARED.computeIfAbsent(place, it -> application.get());
    }

    static boolean wanted() {
        return Boolean.getBoolean(WANTED);
    }

    static Place place(Place server) {
        return new Place(server.url(), server.user(), server.password(), TABLE);
    }

    private static String instead(String statement) {
        Matcher fresh = FRESH.matcher(statement);
        String table = fresh.find() ? fresh.group() : TABLE;
        String same = statement.replace(table, TABLE);
        USED.add(same);
        String other = OTHERS.get(same);
        return other == null ? statement : other.replace(TABLE, table);
    }

    /** What was prepared since this was asked last. */
    static Set<String> used() {
        Set<String> used = Set.copyOf(USED);
        USED.clear();
        return used;
    }

    static void install(String statement, String instead) {
        OTHERS.clear();
        OTHERS.put(statement, instead);
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        Connection real = DriverManager.getConnection(url.substring(PREFIX.length()), info);
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = instead((String) arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
