package io.idempotency.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom. */
@AnalyzeClasses(packages = "io.idempotency", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theEngineAndTheStoreContractKnowNoFramework = classes()
            .that()
            .resideInAnyPackage(
                    "io.idempotency.runtime", "io.idempotency.runtime.store", "io.idempotency.runtime.memory")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.idempotency",
                    "io.idempotency.runtime",
                    "io.idempotency.runtime.store",
                    "io.idempotency.runtime.memory",
                    "java..",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule httpAndTheInterceptorUseTheEngineAndNoStore = noClasses()
            .that()
            .resideInAnyPackage("io.idempotency.runtime.http..", "io.idempotency.runtime.intercept")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("IdempotencyStore")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("io.idempotency.runtime.memory");

    @ArchTest
    static final ArchRule onlyTheHttpPartsKnowHttp = noClasses()
            .that()
            .resideOutsideOfPackage("io.idempotency.runtime.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micronaut.http..");

    @ArchTest
    static final ArchRule nothingUsesReflection = noClasses()
            .that()
            .resideInAPackage("io.idempotency..")
            .and()
            .haveSimpleNameNotStartingWith("$") // Micronaut's own generated classes hand Methods out on request
            .and()
            .haveNameNotMatching(".*\\.\\$.*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.lang.reflect..");

    @ArchTest
    static final ArchRule packagesDoNotFormCycles =
            slices().matching("io.idempotency.(**)").should().beFreeOfCycles();
}
