package io.idempotency.test.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests against one mutant after the other in this JVM, and compares those that no test noticed with a file that explains
 * each. A line of that file is a mutant's name, {@code ##} and why it changes nothing that a caller sees; a name that begins with
 * {@code *} is that of a clause which several texts have, and behind a {@code ~} is a regular expression for names.
 */
public final class Survivors {

    private static final int FIRST_TO_ASK = 8;
    private static final int ATTEMPTS = 3;

    private final Path explained;
    private final List<Class<?>> contracts;
    private final List<Class<?>> others;
    private final Map<String, String> unnoticed = new TreeMap<>();
    private final Map<String, Set<String>> users = new LinkedHashMap<>();
    private int noticed;

    private record Failure(String test, String what) {}

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
     * Runs every test once, one after the other, with what is right, to see which of them use which text: only those run against a
     * text's mutants afterwards. All of them do where this is not called.
     *
     * @param used what was used since it was asked last
     */
    public void learn(Supplier<Set<String>> used) {
        TestExecutionListener learning = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    used.get()
                            .forEach(text -> users.computeIfAbsent(text, it -> new LinkedHashSet<>())
                                    .add(test.getUniqueId()));
                }
            }
        };
        classes()
                .forEach(test -> execute(List.of(selectClass(test)), false, learning)
                        .ifPresent(failure -> {
                            throw new IllegalStateException("With what is right this failed: " + failure);
                        }));
    }

    /**
     * Runs the tests against mutants.
     *
     * @param of what they are mutants of
     * @param text of which they are mutants
     * @param mutants by name
     * @param install puts a mutant in the place of the text
     */
    public void run(String of, String text, Map<String, String> mutants, Consumer<String> install) {
        PrintStream out = System.out;
        Set<String> again = again();
        Map<String, Integer> killers = new LinkedHashMap<>();
        mutants.forEach((name, mutant) -> {
            if (!again.isEmpty() && !again.contains(of + ": " + name)) {
                return;
            }
            install.accept(mutant);
            Optional<Failure> by = failure(text, killers);
            out.println(by.map(test -> "noticed  " + of + ": " + name + " ## " + test.what())
                    .orElse("SURVIVED " + of + ": " + name));
            if (by.isPresent()) {
                noticed++;
                killers.merge(by.get().test(), 1, Integer::sum);
            } else {
                unnoticed.put(of + ": " + name, mutant);
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
        return failure("", Map.of()).map(Failure::what);
    }

    /** Those first that noticed other mutants of the text. A test that does not fail again by itself failed for another reason. */
    private Optional<Failure> failure(String text, Map<String, Integer> killers) {
        List<String> first = killers.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(FIRST_TO_ASK)
                .map(Map.Entry::getKey)
                .toList();
        Optional<Failure> last = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            last = Stream.concat(
                            classes().map(test -> failureOf(test, first.stream().filter(ofClass(test)))),
                            classes().map(test -> failureOf(test, text, first)))
                    .flatMap(Optional::stream)
                    .findFirst();
            if (last.isEmpty()
                    || execute(List.of(selectUniqueId(last.get().test())), false)
                            .isPresent()) {
                return last;
            }
            System.out.println("did not fail again by itself: " + last.get());
        }
        return last;
    }

    private Stream<Class<?>> classes() {
        return Stream.concat(contracts.stream(), others.stream());
    }

    private static Predicate<String> ofClass(Class<?> test) {
        String outer = "[class:" + test.getName().split("\\$(?=[A-Z][A-Za-z0-9]*$)", 2)[0] + "]";
        return id -> id.contains("[class:" + test.getName() + "]")
                || (id.contains(outer) && id.contains("[nested-class:" + test.getSimpleName() + "]"));
    }

    private Optional<Failure> failureOf(Class<?> test, String text, List<String> already) {
        if (users.isEmpty() || text.isEmpty()) {
            return execute(List.of(selectClass(test)), contracts.contains(test));
        }
        return failureOf(
                test,
                users.getOrDefault(text, Set.of()).stream()
                        .filter(ofClass(test))
                        .filter(id -> !already.contains(id)));
    }

    private Optional<Failure> failureOf(Class<?> test, Stream<String> ids) {
        return execute(ids.map(DiscoverySelectors::selectUniqueId).toList(), contracts.contains(test));
    }

    private static Optional<Failure> execute(
            List<? extends DiscoverySelector> tests, boolean sideBySide, TestExecutionListener... listeners) {
        if (tests.isEmpty()) {
            return Optional.empty();
        }
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests)
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", Boolean.toString(sideBySide))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        Stream.of(listeners).forEach(launcher::registerTestExecutionListeners);
        launcher.execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        if (summary.getTestsFoundCount() == 0 && summary.getFailures().isEmpty()) {
            throw new IllegalStateException(tests + " has no tests");
        }
        return summary.getFailures().stream().findFirst().map(Survivors::failure);
    }

    private static Failure failure(TestExecutionSummary.Failure failure) {
        TestIdentifier test = failure.getTestIdentifier();
        String method =
                test.getUniqueId().replaceFirst("^.*\\[(?:method|test-template|class|nested-class):([^\\]]*)]", "$1 ");
        return new Failure(
                test.getUniqueId(),
                method + ": " + String.valueOf(failure.getException()).strip().replaceAll("\\s+", " "));
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
        List<Pattern> patterns = known.stream()
                .filter(name -> name.startsWith("~"))
                .map(name -> Pattern.compile(name.substring(1)))
                .toList();
        return unnoticed.keySet().stream()
                .filter(name -> !known.contains(name) && !known.contains(name.replaceFirst("^[^:]*", "*")))
                .filter(name -> patterns.stream()
                        .noneMatch(pattern -> pattern.matcher(name).find()))
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
