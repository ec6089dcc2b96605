package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No Gradle runs here: the build file for it at least asks for what Maven's, which is built and tested, asks for. */
class GradleFileTest {

    private static final Path FOLDER = Path.of("").toAbsolutePath().getParent().resolve("consumer-tests/five-minutes");

    /** JUnit's launcher, which Maven brings along and Gradle does not. */
    private static final String LAUNCHER = "testRuntimeOnly org.junit.platform:junit-platform-launcher";

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency><groupId>(.*?)</groupId><artifactId>(.*?)</artifactId>(?:<version>(.*?)</version>)?(.*?)</dependency>");

    private static final Pattern PATH =
            Pattern.compile("<path><groupId>(.*?)</groupId><artifactId>(.*?)</artifactId></path>");

    private static final Pattern GRADLE = Pattern.compile("(?m)^    (\\w+)\\((platform\\()?\"([^\"]+)\"\\)+");

    private static String read(String file) throws IOException {
        return Files.readString(FOLDER.resolve(file));
    }

    private static Set<String> ofMaven() throws IOException {
        String pom = read("pom.xml");
        Set<String> wanted = new TreeSet<>(Set.of(LAUNCHER));
        DEPENDENCY.matcher(pom).results().forEach(found -> {
            String artifact = found.group(1) + ":" + found.group(2);
            String rest = found.group(4);
            String version = found.group(3);
            if (rest.contains("<scope>import</scope>")) {
                wanted.add("implementation " + artifact + ":" + resolved(pom, version));
                wanted.add("annotationProcessor " + artifact + ":" + resolved(pom, version));
            } else if (version == null) {
                wanted.add(configuration(rest) + " " + artifact + versionOf(pom, artifact));
            }
        });
        PATH.matcher(pom)
                .results()
                .forEach(found -> wanted.add("annotationProcessor " + found.group(1) + ":" + found.group(2)));
        return wanted;
    }

    private static String configuration(String rest) {
        return rest.contains("runtime")
                ? "runtimeOnly"
                : rest.contains("test") ? "testImplementation" : "implementation";
    }

    /** Of what no BOM manages. */
    private static String versionOf(String pom, String artifact) {
        return DEPENDENCY
                .matcher(pom)
                .results()
                .filter(found -> artifact.equals(found.group(1) + ":" + found.group(2)))
                .filter(found -> found.group(3) != null)
                .map(found -> ":" + resolved(pom, found.group(3)))
                .findFirst()
                .orElse("");
    }

    private static String resolved(String pom, String version) {
        return version.startsWith("$")
                ? pom.replaceAll("(?s).*<" + version.substring(2, version.length() - 1) + ">([^<]*)<.*", "$1")
                : version;
    }

    @Test
    void itAsksForWhatMavensAsksFor() throws IOException {
        Set<String> asked = new TreeSet<>();
        GRADLE.matcher(read("build.gradle.kts"))
                .results()
                .filter(found -> !found.group(1).equals("testAnnotationProcessor"))
                .forEach(found -> asked.add(found.group(1) + " " + found.group(3)));
        assertThat(asked).isEqualTo(ofMaven());
    }

    @Test
    void itAsksForTheSameJava() throws IOException {
        assertThat(read("build.gradle.kts"))
                .contains("JavaLanguageVersion.of(" + resolved(read("pom.xml"), "${maven.compiler.release}") + ")");
    }
}
