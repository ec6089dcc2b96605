package io.idempotency.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom, on both sides of the wire. */
@AnalyzeClasses(packages = "io.idempotency.http", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** Only the health check looks at the stores themselves. */
    @ArchTest
    static final ArchRule httpUsesTheEngineAndNoStore = noClasses()
            .that()
            .doNotHaveSimpleName("IdempotencyHealth")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("IdempotencyStore")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("io.idempotency.runtime.memory..", "io.idempotency.jdbc..", "io.idempotency.redis..");

    @ArchTest
    static final ArchRule serverAndClientDoNotKnowEachOther =
            slices().matching("io.idempotency.http.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule packagesDoNotFormCycles =
            slices().matching("io.idempotency.(**)").should().beFreeOfCycles();
}
