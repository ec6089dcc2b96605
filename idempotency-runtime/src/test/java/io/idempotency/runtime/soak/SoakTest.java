package io.idempotency.runtime.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JVMs that run short of something, each on its own, at the same time. After it nobody hangs, nothing is renewed for nobody, nothing is in flight,
 * every key is settled, in doubt or free, and none ran twice. Longer: {@code -Didempotency.soak.seconds=600}.
 */
@Execution(ExecutionMode.CONCURRENT)
class SoakTest {

    private static final String SECONDS = System.getProperty("idempotency.soak.seconds", "2");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADDRESS_SPACE")
    void everythingIsInOrderAfterwards(Trouble trouble) throws Exception {
        soak(List.of(), trouble);
    }

    /** Its size bounds how many threads there can be, for root as well. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void everythingIsInOrderAfterThreadsThatTheSystemRefused() throws Exception {
        soak(List.of("sh", "-c", "ulimit -v 6000000 && exec \"$@\"", "sh"), Trouble.ADDRESS_SPACE);
    }

    private void soak(List<String> prefix, Trouble trouble) throws IOException, InterruptedException {
        Path logback =
                Files.writeString(folder.resolve("silent.xml"), "<configuration><root level=\"off\"/></configuration>");
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-XX:CompressedClassSpaceSize=64m",
                "-XX:ReservedCodeCacheSize=64m",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=" + logback,
                "-cp",
                classPath(),
                Soak.class.getName(),
                trouble.name(),
                SECONDS));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(240 + Long.parseLong(SECONDS) * 4, TimeUnit.SECONDS);
            String said = Files.readString(output);
            System.out.println(said);
            assertThat(ended).as(said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Surefire may have put the real one into a manifest. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
