package io.idempotency.test.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests against one mutant after the other in this JVM, and compares those that no test noticed with a file that explains
 * each. A line of that file is a mutant's name, {@code ##} and why it changes nothing that a caller sees; a name that begins with
 * {@code *} is that of a clause which several texts have.
 */
public final class Survivors {

    private final Path explained;
    private final List<Class<?>> contracts;
    private final List<Class<?>> others;
    private final Map<String, String> unnoticed = new TreeMap<>();
    private int noticed;

    /**
     * A run.
     *
     * @param explained the file
     * @param contracts what runs against each mutant, one class after the other, until a test fails; the tests of a class run side
     *     by side, because they wait for leases most of their time
     * @param others what runs next, one test after the other
     */
    public Survivors(Path explained, List<Class<?>> contracts, List<Class<?>> others) {
        this.explained = explained;
        this.contracts = List.copyOf(contracts);
        this.others = List.copyOf(others);
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
        Set<String> again = again();
        mutants.forEach((name, text) -> {
            if (!again.isEmpty() && !again.contains(of + ": " + name)) {
                return;
            }
            install.accept(text);
            Optional<String> by = failure();
            out.println(by.map(test -> "noticed  " + of + ": " + name + " ## " + test)
                    .orElse("SURVIVED " + of + ": " + name));
            if (by.isPresent()) {
                noticed++;
            } else {
                unnoticed.put(of + ": " + name, text);
            }
        });
    }

    /** Those that a file names, one a line, where {@code mutation.again} names one: to try survivors of an earlier run only. */
    private static Set<String> again() {
        String file = System.getProperty("mutation.again", "");
        return file.isEmpty() ? Set.of() : Set.copyOf(lines(Path.of(file)));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The first failure with what is installed.
     *
     * @return which test failed and why; empty when all passed
     */
    public Optional<String> failure() {
        return Stream.concat(contracts.stream(), others.stream())
                .flatMap(test -> failureOf(test, contracts.contains(test)).stream())
                .findFirst();
    }

    private static Optional<String> failureOf(Class<?> test, boolean sideBySide) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(test))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", Boolean.toString(sideBySide))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        if (summary.getTestsFoundCount() == 0) {
            throw new IllegalStateException(test + " has no tests");
        }
        return summary.getFailures().stream()
                .findFirst()
                .map(failure -> failure.getTestIdentifier().getDisplayName() + ": "
                        + String.valueOf(failure.getException()).strip().split("\n", 2)[0]);
    }

    /**
     * What is not explained.
     *
     * @return empty when the file is right
     */
    public List<String> unexplained() {
        Set<String> known = lines(explained).stream()
                .filter(line -> line.contains(" ## "))
                .map(line -> line.split(" ## ", 2)[0])
                .collect(Collectors.toSet());
        System.out.println(noticed + " of " + (noticed + unnoticed.size()) + " mutants were noticed");
        return unnoticed.keySet().stream()
                .filter(name -> !known.contains(name) && !known.contains(name.replaceFirst("^[^:]*", "*")))
                .toList();
    }

    /** One failure is enough to know; the other tests of the class are left out then. */
    public static final class StopsAtTheFirstFailure implements ExecutionCondition, TestWatcher {

        private static final String FAILED = "failed";

        private static ExtensionContext.Store store(ExtensionContext context) {
            return context.getRoot().getStore(ExtensionContext.Namespace.create(Survivors.class));
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return store(context).get(FAILED) != null
                    ? ConditionEvaluationResult.disabled("a test has failed already")
                    : ConditionEvaluationResult.enabled("no test has failed");
        }

        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            store(context).put(FAILED, true);
        }
    }
}
