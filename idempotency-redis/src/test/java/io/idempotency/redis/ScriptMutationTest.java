package io.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.mutation.Survivors;
import io.idempotency.test.mutation.TextMutants;
import io.lettuce.core.RedisCommandExecutionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether the contract notices a broken script. Run it by {@code mvn -Pmutation-stores -pl idempotency-redis -am test}; with
 * {@code -Dmutation.of=claim} only that file is broken.
 */
@Tag("mutation")
class ScriptMutationTest {

    private static final List<String> FILES = List.of(
            "head", "record", "claim", "settle", "release", "doubt", "renew", "find", "resolve", "list", "sweep");

    private static final List<Class<?>> TESTS = List.of(
            RedisStoreTckTest.class,
            ForeignRecordTest.class,
            GoldenRecordsTest.class,
            OpenIndexTest.class,
            RedisIdempotencyStoreTest.class);

    private final Survivors survivors = new Survivors(Path.of("src/test/mutation/scripts.txt"), TESTS);

    private static String text(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every script that contains the file, as {@link Script} puts it together. */
    private static Map<Script, String> scripts(String file, String instead) {
        Map<Script, String> changed = new EnumMap<>(Script.class);
        for (Script script : Script.values()) {
            String source = new String(script.source(), StandardCharsets.UTF_8);
            String other = source.replace(text(file), instead);
            String own = script.name().toLowerCase(Locale.ROOT);
            if (own.equals(file) && other.equals(source)) { // what stands in it stands in place of a line of it
                other = source.replace(
                        text(file).replace("@record\n", text("record")), instead.replace("@record\n", text("record")));
            }
            if (!other.equals(source)) {
                changed.put(script, other);
            }
        }
        return changed;
    }

    @Test
    @Timeout(36_000)
    void everyBrokenScriptIsNoticed() throws IOException {
        String only = System.getProperty("mutation.of", "");
        try (MutatedScripts server = new MutatedScripts()) {
            assertThat(survivors.fails()).as("as they are, the scripts pass").isFalse();
            for (String file : FILES) {
                if (only.isEmpty() || List.of(only.split(",")).contains(file)) {
                    Map<String, String> mutants = new TreeMap<>(TextMutants.of(text(file), TextMutants.LUA));
                    mutants.values().removeIf(mutant -> !compiles(server, scripts(file, mutant)));
                    survivors.run(file, mutants, mutant -> server.install(scripts(file, mutant)));
                }
            }
        }
        assertThat(survivors.unexplained()).isEmpty();
    }

    private static boolean compiles(MutatedScripts server, Map<Script, String> sources) {
        try {
            server.install(sources);
            return !sources.isEmpty();
        } catch (RedisCommandExecutionException e) {
            return false;
        }
    }
}
