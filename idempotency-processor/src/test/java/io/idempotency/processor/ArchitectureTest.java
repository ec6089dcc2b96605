package io.idempotency.processor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.idempotency.processor", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theProcessorKnowsNothingOfTheRunTime = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.idempotency.runtime..", "io.micronaut.http..", "io.micronaut.transaction..", "reactor..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.idempotency.processor.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule rulesGenerateNothing = noClasses()
            .that()
            .resideInAPackage("..rule..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.idempotency.processor.source..");

    @ArchTest
    static final ArchRule oneClassAloneNamesInternalTypesOfMicronautsCompiler = noClasses()
            .that()
            .doNotHaveSimpleName("CompilerModel")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micronaut.annotation.processing..");
}
