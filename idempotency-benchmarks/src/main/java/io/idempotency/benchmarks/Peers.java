package io.idempotency.benchmarks;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Other libraries around the same body. They stand in {@code src/peers}: only the profile {@code peers} compiles them and
 * fetches what they need, so that who builds the library fetches nothing for its sake.
 */
public interface Peers extends AutoCloseable {

    /** A protected call. */
    @FunctionalInterface
    interface Call {
        /** What its caller gets. */
        Object of(Charges.Charge charge) throws Exception;
    }

    /** By their names in the table. */
    Map<String, Call> redis(String host, int port, Function<Charges.Charge, Charges.Receipt> body);

    /** By their names in the table. */
    Map<String, Call> postgresql(DataSource pool, Function<Charges.Charge, Charges.Receipt> body);

    @Override
    void close();

    /** Those of this build, which may be none. */
    static Peers find() {
        return ServiceLoader.load(Peers.class).findFirst().orElseGet(None::new);
    }

    /** A build without the profile. */
    record None() implements Peers {

        @Override
        public Map<String, Call> redis(String host, int port, Function<Charges.Charge, Charges.Receipt> body) {
            return Map.of();
        }

        @Override
        public Map<String, Call> postgresql(DataSource pool, Function<Charges.Charge, Charges.Receipt> body) {
            return Map.of();
        }

        @Override
        public void close() {}
    }
}
