package io.idempotency.kotlin

import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler

/** Runs the processor over Kotlin source text as the Maven plugin does, and returns what the compiler says. */
internal fun messagesOfKapt(directory: Path, source: String): String {
    val file = directory.resolve("Payments.kt").apply { writeText(source) }
    val said = ByteArrayOutputStream()
    val kapt = "plugin:org.jetbrains.kotlin.kapt3"
    val outputs = listOf("sources", "classes", "stubs").flatMap {
        listOf("-P", "$kapt:$it=${directory.resolve(it).createDirectories()}")
    }
    K2JVMCompiler().exec(
        PrintStream(said, true, Charsets.UTF_8),
        file.toString(),
        "-d",
        directory.resolve("out").toString(),
        "-no-stdlib",
        "-classpath",
        classPath.joinToString(File.pathSeparator),
        "-Xplugin=" + classPath.first { "kotlin-annotation-processing-embeddable" in it },
        *outputs.toTypedArray(),
        "-P",
        "$kapt:aptMode=stubsAndApt",
        *classPath.flatMap { listOf("-P", "$kapt:apclasspath=$it") }.toTypedArray(),
    )
    return said.toString(Charsets.UTF_8)
}

private val classPath =
    (System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")).split(File.pathSeparator)
