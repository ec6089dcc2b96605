package io.idempotency.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.idempotency.jdbc", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String NOTIFICATIONS = ".*\\.SettledNotifications(\\$.*)?";
    private static final String POOL = ".*\\.OwnConnections(\\$.*)?";

    @ArchTest
    static final ArchRule theStoreKnowsTheContractAndNoOtherPartOfTheRuntime = classes()
            .that()
            .resideInAPackage("io.idempotency.jdbc..")
            .and()
            .haveNameNotMatching(NOTIFICATIONS)
            .and()
            .haveNameNotMatching(POOL)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.idempotency.jdbc..",
                    "io.idempotency.runtime",
                    "io.idempotency.runtime.store",
                    "io.idempotency.runtime.group",
                    "io.micronaut..",
                    "jakarta.annotation..",
                    "jakarta.inject..",
                    "java..",
                    "javax.sql..",
                    "org.jspecify..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule oneClassKnowsHikari = noClasses()
            .that()
            .haveNameNotMatching(POOL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.zaxxer..");

    @ArchTest
    static final ArchRule packagesKnowOnlyThoseBelow = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("store")
            .definedBy("io.idempotency.jdbc")
            .layer("connection")
            .definedBy("io.idempotency.jdbc.connection")
            .layer("sql")
            .definedBy("io.idempotency.jdbc.sql")
            .whereLayer("store")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("connection")
            .mayOnlyBeAccessedByLayers("store");

    @ArchTest
    static final ArchRule noHttp =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.micronaut.http..", "..redis..");

    /** The driver is optional: elsewhere a class of it that is missing would stop the application. */
    @ArchTest
    static final ArchRule onlyWhatHearsNotificationsKnowsPostgresqlsDriver = noClasses()
            .that()
            .haveNameNotMatching(NOTIFICATIONS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.postgresql..");
}
