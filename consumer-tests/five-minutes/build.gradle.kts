plugins {
    java
    application
}

repositories {
    mavenLocal() // until a release is published: see "Five minutes"
    mavenCentral()
}

dependencies {
    // Kotlin sources: kapt(…) in place of annotationProcessor(…); the processor works with kapt, not with KSP
    annotationProcessor(platform("io.micronaut.platform:micronaut-platform:4.10.17"))
    annotationProcessor("io.micronaut:micronaut-inject-java")
    annotationProcessor("io.micronaut.serde:micronaut-serde-processor")
    // tag::idempotency[]
    annotationProcessor(platform("io.idempotency:idempotency-bom:0.1.0-SNAPSHOT"))
    annotationProcessor("io.idempotency:idempotency-processor")
    implementation(platform("io.idempotency:idempotency-bom:0.1.0-SNAPSHOT"))
    implementation("io.idempotency:idempotency-jdbc")
    // end::idempotency[]

    implementation(platform("io.micronaut.platform:micronaut-platform:4.10.17"))
    implementation("io.micronaut.sql:micronaut-jdbc-hikari")
    implementation("io.micronaut.serde:micronaut-serde-jackson")
    runtimeOnly("com.h2database:h2:2.4.240")
    runtimeOnly("ch.qos.logback:logback-classic")

    testImplementation("io.micronaut.test:micronaut-test-junit5")
    testImplementation("org.junit.jupiter:junit-jupiter")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
    testAnnotationProcessor(platform("io.micronaut.platform:micronaut-platform:4.10.17"))
    testAnnotationProcessor("io.micronaut:micronaut-inject-java")
}

java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }

tasks.withType<JavaCompile> { options.compilerArgs.add("-parameters") }

tasks.test { useJUnitPlatform() }
