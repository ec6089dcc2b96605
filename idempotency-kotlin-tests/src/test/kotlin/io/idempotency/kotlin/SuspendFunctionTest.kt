package io.idempotency.kotlin

import io.idempotency.IdempotencyKeyReusedException
import io.idempotency.OperationInProgressException
import io.idempotency.OutcomeUnknownException
import io.idempotency.PreviousAttemptFailedException
import io.micronaut.core.propagation.PropagatedContext
import io.micronaut.test.extensions.junit5.annotation.MicronautTest
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

@MicronautTest
class SuspendFunctionTest(private val orders: Orders) {

    private val id = UUID.randomUUID().toString()
    private val order = Order(id, listOf(Line("tea", 2)))

    @BeforeEach
    fun reset() = orders.runs.set(0)

    @Test
    fun aFunctionThatSuspendsIsReplayed() {
        val first = runBlocking { orders.placeSuspending(order) }

        assertThat(runBlocking { orders.placeSuspending(order.copy()) }).isEqualTo(first)
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun aFunctionThatDoesNotSuspendIsReplayed() {
        val first = runBlocking { orders.placeAtOnce(id) }

        assertThat(runBlocking { orders.placeAtOnce(id) }).isEqualTo(first)
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun theContinuationIsNotFingerprintedAndTheArgumentsAre() {
        runBlocking { orders.placeSuspending(order) }

        assertThat(catchThrowable { runBlocking { orders.placeSuspending(order.copy(coupon = "SPRING")) } })
            .isInstanceOf(IdempotencyKeyReusedException::class.java)
    }

    @Test
    fun manyAtOnceRunTheBodyOnce() {
        val outcomes = runBlocking(Dispatchers.Default) {
            List(50) { async { runCatching { orders.placeSuspending(order) } } }.awaitAll()
        }

        assertThat(outcomes.mapNotNull { it.getOrNull() }).isNotEmpty().containsOnly(Receipt(id, 1))
        assertThat(outcomes.mapNotNull { it.exceptionOrNull() })
            .allMatch { it is OperationInProgressException }
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun unitIsReplayedAndADefaultParameterIsFingerprinted() {
        runBlocking { orders.cancel(id) }

        val replayed: Any = runBlocking { orders.cancel(id, "no reason given") }

        assertThat(replayed).isEqualTo(Unit)
        assertThat(orders.runs).hasValue(1)
        assertThat(catchThrowable { runBlocking { orders.cancel(id, "too late") } })
            .isInstanceOf(IdempotencyKeyReusedException::class.java)
    }

    @Test
    fun nullIsReplayedAsNull() {
        assertThat(runBlocking { orders.find(id) }).isNull()

        assertThat(runBlocking { orders.find(id) }).isNull()
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun listsAndMapsAreReplayedWithTheirElements() {
        val all = listOf(order, Order("$id-2", emptyList(), payment = Payment.Invoice("here")))
        val first = runBlocking { orders.placeAll(all) }

        assertThat(runBlocking { orders.placeAll(all.map { it.copy() }) }).isEqualTo(first).hasSize(2)
        assertThat(orders.runs).hasValue(2)
    }

    @Test
    fun theContextIsThereBeforeAndAfterSuspensionsAndOnOtherDispatchers() {
        assertThat(runBlocking { orders.derive(id) }.toSet()).hasSize(1)
    }

    @Test
    fun whatSurroundsTheCallIsThereInTheBodyAndAfterTheFirstCallAndTheReplay() {
        PropagatedContext.getOrEmpty().plus(Caller("alice")).propagate().use {
            runBlocking {
                repeat(2) {
                    assertThat(orders.callers(id)).containsExactly("alice", "alice", "alice")
                    assertThat(Caller.current()).isEqualTo("alice")
                }
            }
        }
    }

    @Test
    fun anExceptionAfterASuspensionIsRemembered() {
        assertThat(catchThrowable { runBlocking { orders.refuse(id) } })
            .isInstanceOf(IllegalStateException::class.java)

        assertThat(catchThrowable { runBlocking { orders.refuse(id) } })
            .isInstanceOf(PreviousAttemptFailedException::class.java)
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun anUnknownOutcomeIsReconciledWithTheArgumentsAlone() {
        catchThrowable { runBlocking { orders.ship(id) } }

        assertThat(runBlocking { orders.ship(id) }).isEqualTo(Receipt(id, -1))
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun aCallerThatIsCancelledLeavesTheOutcomeUnknown() {
        runBlocking(Dispatchers.Default) {
            val caller = launch { orders.wait(id) }
            await().until { orders.runs.get() == 1 }
            caller.cancelAndJoin()
        }

        // a second run would never end
        assertThat(catchThrowable { runBlocking { withTimeout(5_000) { orders.wait(id) } } })
            .isInstanceOf(OutcomeUnknownException::class.java)
        assertThat(orders.runs).hasValue(1)
    }
}
