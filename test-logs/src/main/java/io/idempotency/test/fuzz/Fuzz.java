package io.idempotency.test.fuzz;

/**
 * Runs a check on many bad inputs. They are the same in every run: the first ones of a sequence whose length is
 * {@code -Dfuzz.times=100} times that of the normal build. {@code -Dfuzz.seed=4711} repeats one.
 */
public final class Fuzz {

    private static final String SEED = "fuzz.seed";

    private Fuzz() {}

    /** What has to be true of any input. */
    @FunctionalInterface
    public interface Check {
        /**
         * Fails where it is not.
         *
         * @throws Exception any, also where the input is not refused as it should be
         */
        void of(Input input) throws Exception;
    }

    /**
     * Checks one input after the other.
     *
     * @param few how many in the normal build
     * @throws AssertionError with the seed of the first input for which the check throws anything
     */
    public static void inputs(int few, Check check) {
        long first = Long.getLong(SEED, 1);
        long last = System.getProperty(SEED) == null ? few * Long.getLong("fuzz.times", 1) : first;
        for (long seed = first; seed <= last; seed++) {
            try {
                check.of(new Input(seed));
            } catch (Throwable e) { // a StackOverflowError is what is looked for
                throw new AssertionError("Not true of the input of -D" + SEED + "=" + seed + ": " + e, e);
            }
        }
    }
}
