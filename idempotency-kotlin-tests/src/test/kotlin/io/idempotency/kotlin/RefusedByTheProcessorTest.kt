package io.idempotency.kotlin

import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir

/** All in one compilation, which is what takes the time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedByTheProcessorTest {

    private lateinit var messages: String

    @BeforeAll
    fun compile(@TempDir directory: Path) {
        messages = messagesOfKapt(
            directory,
            """
            package demo

            import io.idempotency.*
            import jakarta.inject.Singleton
            import kotlinx.coroutines.flow.Flow

            @Singleton
            open class Fine {
                @IdempotentOperation
                open suspend fun pay(id: String): Int = 1
            }

            @Singleton
            class FinalClass {
                @IdempotentOperation
                fun pay(id: String): Int = 1
            }

            @Singleton
            open class FinalFunction {
                @IdempotentOperation
                suspend fun pay(id: String): Int = 1
            }

            sealed interface Means

            data class Card(val number: String) : Means

            @Singleton
            open class Sealed {
                @IdempotentOperation
                open fun pay(means: Means) {}
            }

            @Singleton
            open class Flowing {
                @IdempotentOperation
                open fun pay(id: String): Flow<Int> = TODO()
            }

            @JvmInline
            value class OrderId(val value: String)

            @Singleton
            open class ValueClasses {
                @IdempotentOperation("Not Kebab Case")
                open fun pay(id: OrderId) {}

                @IdempotentOperation("Nor This")
                open fun find(id: String): OrderId = OrderId(id)
            }

            data class Voucher(val id: OrderId, val amount: Long)

            data class Cart(val id: String, val prices: List<Long>) {
                val total by lazy { prices.sum() }
                val isFree by lazy { total == 0L }
            }

            @Singleton
            open class Buying {
                @IdempotentOperation
                open fun redeem(voucher: Voucher) {}

                @IdempotentOperation
                open fun buy(cart: Cart) {}
            }

            @Singleton
            open class Suspending {
                @IdempotentOperation("pay", onAbandoned = OnAbandoned.RECONCILE, transactional = true)
                open suspend fun pay(id: String): Int = 1

                @Reconciles("pay")
                open suspend fun paid(id: String): Reconciliation<Int> = Reconciliation.absent()
            }
            """.trimIndent(),
        )
    }

    @Test
    fun anOpenFunctionOfAnOpenClassIsFine() {
        assertThat(messages).contains("error: ").doesNotContain("Fine.pay")
    }

    @Test
    fun aFinalClassIsRefusedAndTheFixIsNamed() {
        assertThat(about("FinalClass.pay"))
            .anyMatch { "the class is final" in it && "make class and method open" in it && "all-open" in it }
    }

    @Test
    fun aFinalFunctionOfAnOpenClassIsRefused() {
        assertThat(about("FinalFunction.pay"))
            .singleElement()
            .asString()
            .contains("an @IdempotentOperation method must not be final", "make class and method open")
    }

    @Test
    fun aSealedTypeWhoseTypesAreNotNamedIsLeftToJsonWithAWarningThatNamesTheFix() {
        assertThat(about("Sealed.pay")).isEmpty()
        assertThat(about("Sealed.pay", "warning: "))
            .singleElement()
            .asString()
            .contains("'means' of type demo.Means: it is abstract", "@JsonSubTypes (a sealed type of Kotlin too")
    }

    @Test
    fun aFlowIsRefused() {
        assertThat(about("Flowing.pay")).singleElement().asString().contains("it carries many values over time")
    }

    @Test
    fun aSuspendFunctionIsNoReconcilerAndNoTransaction() {
        assertThat(about("Suspending.pay"))
            .anyMatch { "transactional = true on a suspend function" in it }
            .anyMatch { "its @Reconciles method is a suspend function" in it }
    }

    /** Which is why the guide warns of it: not even the name is checked. */
    @Test
    fun aFunctionWithAValueClassIsDroppedByKaptWithoutAWord() {
        assertThat(about("ValueClasses.pay")).isEmpty()
        assertThat(about("ValueClasses.find")).isEmpty()
    }

    @Test
    fun aPropertyOfAValueClassIsRefusedWithWhatToDeclareInstead() {
        assertThat(about("Buying.redeem"))
            .singleElement()
            .asString()
            .contains("its field id cannot be read", "where its type is a value class, declare what that holds")
    }

    @Test
    fun aDelegatedPropertyIsReadLikeAnyOther() {
        assertThat(about("Buying.buy")).isEmpty()
    }

    private fun about(operation: String, kind: String = "error: ") =
        messages.lines().filter { kind in it && "$operation:" in it }
}
