package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.definition.LibraryVersion;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An annotated method without a generated definition would run at every call, and nobody would notice. */
@Tag("thorough")
class WithoutProcessorTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a bean, and a lazy one
                "@Singleton class Payments { @IdempotentOperation String charge(String id) { return id; } }",
                "@Prototype class Payments { @IdempotentOperation String charge(String id) { return id; } }",
                // inherited from an interface, an abstract class, a class
                """
                interface Charges { @IdempotentOperation String charge(String id); }
                @Singleton class Payments implements Charges { public String charge(String id) { return id; } }
                """,
                """
                abstract class Charges { @IdempotentOperation public String charge(String id) { return id; } }
                @Singleton class Payments extends Charges {}
                """,
                """
                class Charges { @IdempotentOperation public String charge(String id) { return id; } }
                @Singleton class Payments extends Charges { @Override public String charge(String id) { return id; } }
                """,
                // an annotation of the application's own
                """
                @IdempotentOperation @Retention(RetentionPolicy.RUNTIME) @interface Once {}
                @Singleton class Payments { @Once String charge(String id) { return id; } }
                """,
                """
                @IdempotentOperation @Retention(RetentionPolicy.RUNTIME) @interface Once {}
                @Once @Singleton class Payments { public String charge(String id) { return id; } }
                """,
                // other advice comes first
                """
                @Around @Retention(RetentionPolicy.RUNTIME) @interface Traced {}
                @Traced @Singleton class Payments {
                    public void other() {}
                    @IdempotentOperation public String charge(String id) { return id; }
                }
                """,
                """
                @Around @Retention(RetentionPolicy.RUNTIME) @interface Traced {}
                @Singleton class Payments {
                    @Traced public void other() {}
                    @IdempotentOperation public String charge(String id) { return id; }
                }
                """,
                // an introduction
                """
                @Introduction @Singleton @Retention(RetentionPolicy.RUNTIME) @interface Made {}
                @Made interface Payments { @IdempotentOperation String charge(String id); }
                """,
                // what a factory makes
                """
                class Payments { @IdempotentOperation public String charge(String id) { return id; } }
                @Factory class Beans { @Singleton Payments payments() { return new Payments(); } }
                """,
                """
                interface Payments { @IdempotentOperation String charge(String id); }
                @Factory class Beans { @Singleton Payments payments() { return id -> id; } }
                """,
                """
                class Payments { @SendsIdempotencyKey public String charge(String id) { return id; } }
                @Factory class Beans { @Singleton Payments payments() { return new Payments(); } }
                """
            })
    void theApplicationDoesNotStart(String types) {
        assertThatThrownBy(() -> Forgetful.start(directory, types).close())
                .hasStackTraceContaining("demo.")
                .hasStackTraceContaining("charge")
                .hasStackTraceContaining("The application does not start")
                .hasStackTraceContaining(
                        "<artifactId>idempotency-processor</artifactId><version>" + LibraryVersion.CURRENT)
                .hasStackTraceContaining("annotationProcessor(\"io.idempotency:idempotency-processor:");
    }

    @Test
    void aBeanThatIsNotLoadedStopsNothing() throws Exception {
        try (ApplicationContext context = Forgetful.start(directory, """
                @Singleton @Requires(property = "absent.property")
                class Payments { @IdempotentOperation String charge(String id) { return id; } }
                """)) {
            assertThat(context.isRunning()).isTrue();
        }
    }

    @Test
    void theDefinitionOfAnotherVersionStopsTheApplicationNamingBoth() {
        assertThatThrownBy(() -> Forgetful.start(directory, """
                @Singleton class Payments {
                    @IdempotentOperation("charge")
                    @IdempotentAdvice(definition = Generated.class, version = "0.0.9")
                    public String charge(String id) { return id; }
                }
                class Generated implements OperationDefinition {
                    public Generated() {}
                    public String name() { return "charge"; }
                    public String origin() { return "demo.Payments.charge(String)"; }
                    public KeySource keySource() { return KeySource.ARGUMENTS; }
                    public void fingerprint(Object[] arguments, FingerprintWriter writer) {}
                    public Argument<?> resultType() { return Argument.STRING; }
                }
                """).close())
                .hasStackTraceContaining("demo.Payments.charge(String)")
                .hasStackTraceContaining(
                        "idempotency-processor 0.0.9, and idempotency-runtime " + LibraryVersion.CURRENT)
                .hasStackTraceContaining("Give both the same version");
    }
}
