package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the published artifacts use of Micronaut is in every version that they run on, and is internal in none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MicronautApiTest {

    private static final String INTERNAL = "io.micronaut.core.annotation.Internal";

    /** What is internal and used all the same, and why. */
    private static final Map<String, String> PERMITTED = Map.of(
            "io.micronaut.annotation.processing.visitor.JavaNativeElement",
                    "the compiler's model behind Micronaut's; only CompilerModel asks it, and answers nothing without it",
            "io.micronaut.annotation.processing.visitor.JavaVisitorContext",
                    "the same",
            "io.micronaut.core.annotation.AnnotationClassValue.<init>(java.lang.String, boolean)",
                    "names a class that is generated in the same round; no public way does",
            "io.micronaut.core.expressions.EvaluatedExpressionReference",
                    "what Micronaut makes of a #{...} before a visitor sees it; its text is nowhere else",
            "io.micronaut.inject.BeanDefinitionReference",
                    "the public BeanContext.getBeanDefinitionReferences() returns it; getAllBeanDefinitions() would load"
                            + " the definition of every bean of Micronaut itself at start-up",
            "io.micronaut.serde.config.annotation.SerdeConfig$SerInclude",
                    "a type in the methods of the public SerializationConfiguration");

    /** What a version does not have, and why nothing fails there. */
    private static final Map<String, String> ABSENT = Map.of(
            "io.micronaut.runtime.graceful.GracefulShutdownCapable",
                    "4.8: JoinedShutdown is no bean there",
            "io.micronaut.serde.config.SerializationConfiguration.sortPropertiesAlphabetically()",
                    "4.8: nothing there calls it",
            "io.micronaut.core.annotation.NullMarked",
                    "4.8: an annotation, which a JVM leaves out");

    /** Modules whose releases for Micronaut 4.8 or 5 are not published where this library builds. */
    private static final List<String> UNPUBLISHED = List.of(
            "io.micronaut.configuration.lettuce.",
            "io.micronaut.data.",
            "io.micronaut.jdbc.",
            "io.micronaut.management.",
            "io.micronaut.multitenancy.",
            "io.micronaut.problem.",
            "io.micronaut.rabbitmq.",
            "io.micronaut.health.",
            "io.micronaut.security.",
            "io.micronaut.transaction.");

    private final Map<String, List<JavaClass>> read = new HashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"micronaut-4.8", "micronaut-4.10", "micronaut-5.0"})
    void whatTheArtifactsUseIsThere(String version) {
        Set<String> absent = new TreeSet<>();
        for (JavaClass type : published(version)) {
            absentTypes(type, version).forEach(absent::add);
            absentMembers(type).forEach(absent::add);
            unimplemented(type).forEach(absent::add);
        }
        absent.removeAll(version.equals("micronaut-4.8") ? ABSENT.keySet() : Set.of());
        assertEquals(Set.of(), absent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"micronaut-4.8", "micronaut-4.10", "micronaut-5.0"})
    void nothingOfItIsInternal(String version) {
        Set<String> internal = new TreeSet<>();
        for (JavaClass type : published(version)) {
            if (!isGenerated(type)) {
                internalUses(type).forEach(internal::add);
            }
        }
        assertEquals(new TreeSet<>(PERMITTED.keySet()), internal);
    }

    private List<JavaClass> published(String version) {
        return read.computeIfAbsent(version, MicronautApiTest::importJars);
    }

    private static List<JavaClass> importJars(String version) {
        Path jars = Path.of("..", version, "target", "jars");
        assumeTrue(Files.isDirectory(jars), "Micronaut 5 needs JDK 25, and no jdk25 is given");
        List<JarFile> files = files(jars);
        String core = jars.resolve(version.replace("micronaut-", "micronaut-core-")).toString();
        assertTrue(files.stream().anyMatch(file -> file.getName().startsWith(core + ".")), files.toString());
        List<JavaClass> ours = new ClassFileImporter()
                .importJars(files).stream()
                        .filter(type -> type.getName().startsWith("io.idempotency."))
                        .toList();
        assertFalse(ours.isEmpty());
        return ours;
    }

    private static List<JarFile> files(Path jars) {
        try (Stream<Path> all = Files.list(jars)) {
            List<JarFile> files = new ArrayList<>();
            for (Path jar : all.toList()) {
                if (jar.getFileName().toString().matches("(idempotency|micronaut)-.*")) {
                    files.add(new JarFile(jar.toFile()));
                }
            }
            return files;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<String> absentTypes(JavaClass type, String version) {
        return types(type)
                .filter(used -> !used.isFullyImported())
                .map(JavaClass::getName)
                .filter(name -> version.equals("micronaut-4.10") || UNPUBLISHED.stream().noneMatch(name::startsWith));
    }

    private static Stream<String> absentMembers(JavaClass type) {
        return accesses(type)
                .filter(access -> access.getTarget().resolveMember().isEmpty())
                .map(access -> access.getTarget().getFullName());
    }

    /** An abstract method of another version would fail when Micronaut calls it. */
    private static Stream<String> unimplemented(JavaClass type) {
        if (type.isInterface() || type.getModifiers().contains(JavaModifier.ABSTRACT)) {
            return Stream.of();
        }
        return type.getAllMethods().stream()
                .filter(method -> isMicronaut(method.getOwner()) && isAbstract(method))
                .filter(method -> type.getAllMethods().stream()
                        .noneMatch(other -> !isAbstract(other) && signature(other).equals(signature(method))))
                .map(method -> type.getName() + " does not implement " + method.getFullName());
    }

    private static boolean isAbstract(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    private static String signature(JavaMethod method) {
        return method.getName() + method.getRawParameterTypes().stream().map(JavaClass::getName).toList();
    }

    private static Stream<String> internalUses(JavaClass type) {
        return Stream.concat(
                types(type).filter(MicronautApiTest::isInternal).map(JavaClass::getName),
                accesses(type)
                        .filter(access -> access.getTarget().resolveMember()
                                .filter(member -> ((JavaMember) member).isAnnotatedWith(INTERNAL))
                                .isPresent())
                        .map(access -> access.getTarget().getFullName()));
    }

    private static boolean isInternal(JavaClass type) {
        return type.isAnnotatedWith(INTERNAL)
                || type.getEnclosingClass().filter(MicronautApiTest::isInternal).isPresent();
    }

    private static Stream<JavaClass> types(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .map(JavaClass::getBaseComponentType)
                .filter(MicronautApiTest::isMicronaut);
    }

    private static Stream<JavaAccess<?>> accesses(JavaClass type) {
        return type.getAccessesFromSelf().stream()
                .filter(access -> isMicronaut(access.getTargetOwner())
                        && access.getTargetOwner().isFullyImported());
    }

    private static boolean isMicronaut(JavaClass type) {
        return type.getName().startsWith("io.micronaut.");
    }

    /** By Micronaut's own processor, which writes what its runtime understands. */
    private static boolean isGenerated(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        return name.startsWith("$") || name.contains("$Intercepted");
    }
}
