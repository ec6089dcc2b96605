package io.idempotency.test.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs tests against one mutant after the other in this JVM, and compares those that no test noticed with a file that explains
 * each. A line of that file is a mutant's name, {@code ##} and why it changes nothing that a caller sees.
 */
public final class Survivors {

    private final Path explained;
    private final List<Class<?>> tests;
    private final Map<String, String> unnoticed = new TreeMap<>();
    private int noticed;

    /**
     * A run.
     *
     * @param explained the file
     * @param tests what runs against each mutant, until one of them fails
     */
    public Survivors(Path explained, List<Class<?>> tests) {
        this.explained = explained;
        this.tests = List.copyOf(tests);
    }

    /**
     * Runs the tests against mutants.
     *
     * @param of what they are mutants of
     * @param mutants by name
     * @param install puts a mutant in the place of the text
     */
    public void run(String of, Map<String, String> mutants, Consumer<String> install) {
        PrintStream out = System.out;
        mutants.forEach((name, text) -> {
            install.accept(text);
            boolean seen = fails();
            out.println((seen ? "noticed  " : "SURVIVED ") + of + ": " + name);
            if (seen) {
                noticed++;
            } else {
                unnoticed.put(of + ": " + name, text);
            }
        });
    }

    /**
     * Whether the tests fail with what is installed.
     *
     * @return false as well without any test
     */
    public boolean fails() {
        StopsAtTheFirstFailure.FAILED.remove();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream().map(test -> selectClass(test)).toList())
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        return summary.getSummary().getTotalFailureCount() > 0;
    }

    /**
     * What is not explained, and what is explained without need.
     *
     * @return empty when the file is right
     */
    public List<String> unexplained() {
        List<String> known;
        try {
            known = Files.readAllLines(explained).stream()
                    .filter(line -> line.contains(" ## "))
                    .map(line -> line.split(" ## ", 2)[0])
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println(noticed + " of " + (noticed + unnoticed.size()) + " mutants were noticed");
        return unnoticed.keySet().stream().filter(name -> !known.contains(name)).toList();
    }

    /** One failure is enough to know; the other tests of the class are left out then. */
    public static final class StopsAtTheFirstFailure implements ExecutionCondition, TestWatcher {

        private static final ThreadLocal<Boolean> FAILED = ThreadLocal.withInitial(() -> false);

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return FAILED.get()
                    ? ConditionEvaluationResult.disabled("a test has failed already")
                    : ConditionEvaluationResult.enabled("no test has failed");
        }

        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            FAILED.set(true);
        }
    }
}
