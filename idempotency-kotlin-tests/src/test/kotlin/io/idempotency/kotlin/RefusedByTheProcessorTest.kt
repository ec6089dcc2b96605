package io.idempotency.kotlin

import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class RefusedByTheProcessorTest(@param:TempDir private val directory: Path) {

    @Test
    fun anOpenFunctionOfAnOpenClassIsFine() {
        assertThat(messages("open class Payments { @IdempotentOperation open fun pay(id: String): Int = 1 }"))
            .doesNotContain("error:")
    }

    @Test
    fun aFinalClassIsRefusedAndTheFixIsNamed() {
        assertThat(messages("class Payments { @IdempotentOperation fun pay(id: String): Int = 1 }"))
            .contains("error: ", "the class is final", "make class and method open", "all-open compiler plugin")
    }

    @Test
    fun aFinalFunctionOfAnOpenClassIsRefused() {
        assertThat(messages("open class Payments { @IdempotentOperation suspend fun pay(id: String): Int = 1 }"))
            .contains("Payments.pay: an @IdempotentOperation method must not be final")
            .doesNotContain("the class is final")
    }

    @Test
    fun aSealedTypeWhoseTypesAreNotNamedIsRefusedAndTheFixIsNamed() {
        val operation = "open class Payments { @IdempotentOperation open fun pay(means: Means) {} }"

        assertThat(messages("$operation\nsealed interface Means\ndata class Card(val number: String) : Means"))
            .contains("'means' of type demo.Means cannot be fingerprinted", "@JsonSubTypes (a sealed type of Kotlin too")
    }

    @Test
    fun aFlowIsRefused() {
        val flow = "kotlinx.coroutines.flow.Flow<Int>"

        assertThat(messages("open class Payments { @IdempotentOperation open fun pay(id: String): $flow = TODO() }"))
            .contains("it carries many values over time")
    }

    @Test
    fun aSuspendFunctionIsNoReconcilerAndNoTransaction() {
        val messages = messages(
            """
            open class Payments {
                @IdempotentOperation("pay", onAbandoned = OnAbandoned.RECONCILE, transactional = true)
                open suspend fun pay(id: String): Int = 1

                @Reconciles("pay")
                open suspend fun paid(id: String): Reconciliation<Int> = Reconciliation.absent()
            }
            """,
        )

        assertThat(messages)
            .contains("its @Reconciles method is a suspend function", "transactional = true on a suspend function")
    }

    private fun messages(members: String) =
        messagesOfKapt(directory, "package demo\nimport io.idempotency.*\n@jakarta.inject.Singleton $members")
}
