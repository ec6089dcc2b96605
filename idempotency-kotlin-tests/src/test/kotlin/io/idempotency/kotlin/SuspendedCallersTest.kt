package io.idempotency.kotlin

import io.idempotency.IdempotentOperation
import io.idempotency.WhenInProgress
import io.idempotency.runtime.engine.IdempotencyEngine
import io.micronaut.context.ApplicationContext
import io.micronaut.context.BeanProvider
import io.micronaut.context.annotation.Requires
import io.micronaut.context.event.BeanCreatedEvent
import io.micronaut.context.event.BeanCreatedEventListener
import io.micronaut.scheduling.TaskExecutors
import jakarta.inject.Singleton
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ExecutorService
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test

/** Proves that nothing was done. */
class NothingDone : RuntimeException()

/** An operation whose duplicates wait, and whose bodies end when the test says so. */
@Singleton
@Requires(property = "test.turns")
open class Turns {

    val runs = AtomicInteger()
    val begun = CountDownLatch(1)

    @Volatile
    var answer = CompletableDeferred<String>()

    @IdempotentOperation(
        "kotlin-turn",
        key = "id",
        whenInProgress = WhenInProgress.WAIT,
        waitTimeout = "1m",
        noEffectFor = [NothingDone::class],
    )
    open suspend fun take(id: String): String {
        runs.incrementAndGet()
        begun.countDown()
        return answer.await()
    }

    @IdempotentOperation("kotlin-turn-after-all", key = "id")
    open suspend fun takeAfterAll(id: String): String {
        begun.countDown()
        coroutineContext.job.children.forEach { it.join() }
        return answer.await()
    }
}

/** An executor that returns to those who submit a task only when the first body has begun. */
@Singleton
@Requires(property = "test.turns", value = "early")
class EarlyBodies(private val turns: BeanProvider<Turns>) : BeanCreatedEventListener<ExecutorService> {

    override fun onCreated(event: BeanCreatedEvent<ExecutorService>): ExecutorService {
        val tasks = event.bean
        if (event.beanIdentifier.name != TaskExecutors.BLOCKING) {
            return tasks
        }
        return object : ExecutorService by tasks {
            override fun execute(task: Runnable) {
                tasks.execute(task)
                check(turns.get().begun.await(60, TimeUnit.SECONDS))
            }
        }
    }
}

/** What becomes of the coroutine that calls an operation. */
class SuspendedCallersTest {

    private fun <T> application(bodies: String, test: (Turns, IdempotencyEngine) -> T) {
        ApplicationContext.run(mapOf("test.turns" to bodies, "idempotency.store" to "memory")).use {
            test(it.getBean(Turns::class.java), it.getBean(IdempotencyEngine::class.java))
        }
    }

    @Test
    fun aCallerGoesOnWhereItWasHoweverEarlyTheBodyBegins() = application("early") { turns, _ ->
        runBlocking {
            val here = Thread.currentThread()
            launch { turns.answer.complete("done") } // on this thread, which is free once the call suspends

            assertThat(turns.take("1")).isEqualTo("done")
            assertThat(Thread.currentThread()).isSameAs(here)
        }
    }

    /** The body has no effect, so the next one of those who wait would run it. */
    @Test
    fun aCallerThatIsCancelledWhileItWaitsForADuplicateClaimsNothingLater() = application("any") { turns, engine ->
        runBlocking(Dispatchers.Default) {
            val owner = async { runCatching { turns.take("1") } }
            await().until { turns.runs.get() == 1 }
            val duplicate = launch { turns.take("1") }
            await().until { engine.waiting() == 1 }

            duplicate.cancel()
            turns.answer.completeExceptionally(NothingDone())
            assertThat(owner.await().exceptionOrNull()).isInstanceOf(NothingDone::class.java)
            duplicate.join()
            turns.answer = CompletableDeferred("done")

            assertThat(turns.take("1")).isEqualTo("done")
            assertThat(turns.runs).`as`("of the owner and the last").hasValue(2)
        }
    }

    @Test
    fun aCallerWhoseTimeIsOverWhileItWaitsEndsAsAnyOtherCoroutine() = application("any") { turns, _ ->
        runBlocking(Dispatchers.Default) {
            val owner = async { turns.take("1") }
            await().until { turns.runs.get() == 1 }

            assertThat(withTimeoutOrNull(1) { turns.take("1") }).isNull()

            assertThat(turns.answer.complete("done")).isTrue()
            assertThat(owner.await()).isEqualTo("done")
        }
    }

    @Test
    fun aCallerWhoseChildrenAloneAreCancelledWaitsOn() = application("any") { turns, engine ->
        runBlocking(Dispatchers.Default) {
            val owner = async { turns.take("1") }
            await().until { turns.runs.get() == 1 }
            val duplicate = async { turns.take("1") }
            await().until { engine.waiting() == 1 }

            duplicate.cancelChildren()
            turns.answer.complete("done")

            assertThat(duplicate.await()).isEqualTo("done")
            assertThat(owner.await()).isEqualTo("done")
        }
    }

    /** Its body would be cut off where it suspends first, and its outcome unknown. */
    @Test
    fun aCallerThatIsGoneWhenItsBodyWouldBeginLeavesTheKeyFree() = application("any") { turns, _ ->
        runBlocking(Dispatchers.Default) {
            val late = launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext.job.cancel()
                turns.take("1")
            }
            late.join()
            turns.answer.complete("done")

            assertThat(turns.take("1")).isEqualTo("done")
            assertThat(turns.runs).hasValue(1)
        }
    }

    @Test
    fun aBodyMayWaitForTheOtherCoroutinesOfItsCaller() = application("any") { turns, _ ->
        runBlocking(Dispatchers.Default) {
            turns.answer.complete("done")
            val called = async {
                launch { turns.begun.await() }
                turns.takeAfterAll("1")
            }
            assertThat(called.await()).isEqualTo("done")
        }
    }
}
