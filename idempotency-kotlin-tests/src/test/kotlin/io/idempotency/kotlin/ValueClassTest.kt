package io.idempotency.kotlin

import io.idempotency.IdempotentOperation
import io.idempotency.SendsIdempotencyKey
import io.micronaut.context.ApplicationContext
import io.micronaut.context.annotation.Requires
import jakarta.inject.Singleton
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

@JvmInline
value class VoucherId(val value: String)

@Singleton
@Requires(property = "test.value-class", value = "parameter")
open class TakesValueClass {
    @IdempotentOperation("kotlin-redeem")
    open fun redeem(id: VoucherId): String = id.value
}

@Singleton
@Requires(property = "test.value-class", value = "result")
open class ReturnsValueClass {
    @IdempotentOperation("kotlin-issue")
    open fun issue(id: String): VoucherId = VoucherId(id)
}

@Singleton
@Requires(property = "test.value-class", value = "name")
open class NamedByAWordOfJava {
    @IdempotentOperation("kotlin-void")
    open fun void(id: String) {}
}

interface Redeeming {
    @IdempotentOperation("kotlin-redeem-inherited")
    suspend fun redeem(id: VoucherId): String
}

@Singleton
@Requires(property = "test.value-class", value = "inherited")
open class InheritsValueClass : Redeeming {
    override suspend fun redeem(id: VoucherId): String = id.value
}

@Singleton
@Requires(property = "test.value-class", value = "sender")
open class SendsValueClass {
    @SendsIdempotencyKey
    open fun redeem(id: VoucherId): String = id.value
}

/** kapt leaves these functions out without a word; nobody but the class itself knows of them. */
class ValueClassTest {

    @ParameterizedTest
    @CsvSource(
        "parameter, TakesValueClass.redeem-",
        "result, ReturnsValueClass.issue-",
        "inherited, Redeeming.redeem-",
        "sender, SendsValueClass.redeem-",
        "name, NamedByAWordOfJava.void",
    )
    fun `a function with a value class stops the start`(which: String, function: String) {
        assertThatThrownBy { ApplicationContext.run(mapOf("test.value-class" to which)).close() }
            .hasStackTraceContaining("io.idempotency.kotlin.$function")
            .hasStackTraceContaining("value class")
            .hasStackTraceContaining("The application does not start")
    }
}
