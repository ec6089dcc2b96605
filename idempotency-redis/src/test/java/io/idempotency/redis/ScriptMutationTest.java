package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.mutation.Survivors;
import io.idempotency.test.mutation.TextMutants;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether the contract, and what this module tests besides, notice a broken script. Run it by
 * {@code mvn -Pmutation-stores -pl idempotency-redis -am test}; with {@code -Dmutation.of=claim,settle} only these texts are broken.
 */
@Tag("mutation")
class ScriptMutationTest {

    private static final Path FILES = Path.of("src/main/resources/io/idempotency/redis/script");
    private static final Map<String, String> TEXTS = texts();
    private static final Path EXPLAINED = Path.of("src/test/mutation/scripts.txt");

    private final Map<Script, byte[]> right =
            Stream.of(Script.values()).collect(Collectors.toMap(script -> script, script -> script.source));

    @AfterEach
    void restore() {
        right.forEach(ScriptMutationTest::become);
    }

    @Test
    @Timeout(36_000)
    void everyBrokenScriptIsNoticed() {
        for (Script script : Script.values()) {
            assertThat(source(script, "", "")).as(script.name()).isEqualTo(new String(script.source, UTF_8));
        }
        Survivors each = new Survivors(
                EXPLAINED,
                List.of(RedisStoreTckTest.class),
                List.of(
                        RedisIdempotencyStoreTest.class,
                        ForeignRecordTest.class,
                        GoldenRecordsTest.class,
                        FullServerTest.class,
                        OpenIndexTest.class,
                        AcknowledgementTest.class,
                        DurabilityWatchTest.class,
                        FaultTest.class));
        assertThat(each.failure()).as("as they are, the scripts pass").isEmpty();
        for (String name : names()) {
            Map<String, String> mutants = new TreeMap<>(TextMutants.of(text(name), TextMutants.LUA));
            mutants.values().removeIf(mutant -> !compiles(name, mutant));
            each.run(name, text(name), mutants, mutant -> install(name, mutant));
        }
        assertThat(each.unexplained()).isEmpty();
    }

    private static List<String> names() {
        String only = System.getProperty("mutation.of", "");
        return TEXTS.keySet().stream()
                .filter(name -> only.isEmpty() || List.of(only.split(",")).contains(name))
                .toList();
    }

    /** The sections of both files, by name. */
    private static Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>();
        for (String file : List.of("record.lua", "verbs.lua")) {
            try {
                String[] all = Files.readString(FILES.resolve(file)).split("(?m)^--- ");
                Stream.of(all).skip(1).map(text -> text.split("\n", 2)).forEach(text -> texts.put(text[0], text[1]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return texts;
    }

    private static String text(String name) {
        return Objects.requireNonNull(TEXTS.get(name));
    }

    /** A script whose part of the given name has another text. */
    private static String source(Script script, String part, String instead) {
        return filled(script.name().toLowerCase(Locale.ROOT), part, instead);
    }

    private static String filled(String name, String part, String instead) {
        return Pattern.compile("^@([a-z]+)\n", Pattern.MULTILINE)
                .matcher(name.equals(part) ? instead : text(name))
                .replaceAll(found -> Matcher.quoteReplacement(filled(found.group(1), part, instead)));
    }

    private static boolean compiles(String part, String instead) {
        RedisClient client = RedisClient.create(RedisServer.shared().uri());
        try {
            RedisCommands<String, String> redis = client.connect().sync();
            Arrays.stream(Script.values()).forEach(script -> redis.scriptLoad(source(script, part, instead)));
            return true;
        } catch (RedisCommandExecutionException e) {
            return false;
        } finally {
            client.shutdown();
        }
    }

    private void install(String part, String instead) {
        for (Script script : Script.values()) {
            become(script, source(script, part, instead).getBytes(UTF_8));
        }
    }

    /** The scripts are constants, and stay so for everybody else. */
    private static void become(Script script, byte[] source) {
        set(script, "source", source);
        set(script, "digest", PackedRecord.sha1(source, 0, source.length));
    }

    private static void set(Script script, String field, Object value) {
        try {
            Field constant = Script.class.getDeclaredField(field);
            constant.setAccessible(true);
            constant.set(script, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
