package io.idempotency.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.idempotency.jdbc", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theStoreKnowsTheContractAndNoOtherPartOfTheRuntime = classes()
            .that()
            .resideInAPackage("io.idempotency.jdbc")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.idempotency.jdbc",
                    "io.idempotency.runtime.store",
                    "io.micronaut..",
                    "jakarta.inject..",
                    "java..",
                    "javax.sql..",
                    "org.jspecify..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule noHttp =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.micronaut.http..", "..redis..");
}
