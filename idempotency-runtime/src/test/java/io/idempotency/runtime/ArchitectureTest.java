package io.idempotency.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;

/** Who may know whom. */
@AnalyzeClasses(packages = "io.idempotency", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theEngineAndTheStoreContractKnowNoFramework = classes()
            .that()
            .resideInAnyPackage(
                    "io.idempotency.runtime",
                    "io.idempotency.runtime.answer",
                    "io.idempotency.runtime.call",
                    "io.idempotency.runtime.engine",
                    "io.idempotency.runtime.failure",
                    "io.idempotency.runtime.group",
                    "io.idempotency.runtime.outcome",
                    "io.idempotency.runtime.store",
                    "io.idempotency.runtime.memory")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.idempotency",
                    "io.idempotency.runtime",
                    "io.idempotency.runtime.answer",
                    "io.idempotency.runtime.call",
                    "io.idempotency.runtime.engine",
                    "io.idempotency.runtime.failure",
                    "io.idempotency.runtime.group",
                    "io.idempotency.runtime.outcome",
                    "io.idempotency.runtime.store",
                    "io.idempotency.runtime.memory",
                    "java..",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule theInterceptorUsesTheEngineAndNoStore = noClasses()
            .that()
            .resideInAPackage("io.idempotency.runtime.intercept")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("IdempotencyStore")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("io.idempotency.runtime.memory");

    @ArchTest
    static final ArchRule onlyTheClassifierOfClientFailuresKnowsHttp = noClasses()
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
            .and()
            .doNotHaveSimpleName("AnnotatedBeans") // nothing is generated for a class that no processor has seen
            .and()
            .doNotHaveSimpleName("ExactClass") // an application need not have Hibernate
            .and()
            .resideOutsideOfPackage("io.idempotency.processor..") // it runs in the compiler
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.lang.reflect..");

    /** Other modules, Micrometer's for instance, put a wrapper in place of every executor bean. */
    @ArchTest
    static final ArchRule executorsAreInjectedAsInterfaces = noConstructors()
            .should()
            .haveRawParameterTypes(anyElementThat(assignableTo(ThreadPoolExecutor.class)))
            .orShould()
            .haveRawParameterTypes(anyElementThat(assignableTo(ForkJoinPool.class)));

    @ArchTest
    static final ArchRule noExecutorIsABean = noMethods()
            .that()
            .areAnnotatedWith("jakarta.inject.Singleton")
            .should()
            .haveRawReturnType(assignableTo(Executor.class));

    @ArchTest
    static final ArchRule packagesDoNotFormCycles =
            slices().matching("io.idempotency.(**)").should().beFreeOfCycles();
}
