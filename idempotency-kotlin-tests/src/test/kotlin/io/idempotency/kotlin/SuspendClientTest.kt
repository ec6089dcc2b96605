package io.idempotency.kotlin

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.idempotency.IdempotencyKeyReusedException
import io.micronaut.http.client.exceptions.HttpClientResponseException
import io.micronaut.test.extensions.junit5.annotation.MicronautTest
import io.micronaut.test.support.TestPropertyProvider
import jakarta.inject.Inject
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedDeque
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

@MicronautTest(startApplication = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendClientTest : TestPropertyProvider {

    @Inject
    lateinit var carrier: Carrier

    @Inject
    lateinit var shipping: Shipping

    private val statuses = ConcurrentLinkedDeque<Int>()
    private val keys = CopyOnWriteArrayList<String?>()
    private val server = server()

    private fun parcel() = Receipt(UUID.randomUUID().toString(), 2)

    private fun server(): HttpServer {
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/shipments", ::answer)
        server.start()
        return server
    }

    private fun answer(exchange: HttpExchange) {
        exchange.requestBody.readAllBytes()
        keys.add(exchange.requestHeaders.getFirst("Idempotency-Key"))
        val status = statuses.poll() ?: 201
        val problem = """{"code":"key-reused","executed":"no","retry":"new-key"}"""
        val body = (if (status == 422) problem else """{"orderId":"o","number":1}""").toByteArray()
        exchange.responseHeaders.add("Content-Type", "application/json")
        exchange.sendResponseHeaders(status, body.size.toLong())
        exchange.responseBody.use { it.write(body) }
    }

    override fun getProperties() = mapOf("carrier.url" to "http://127.0.0.1:${server.address.port}")

    @BeforeEach
    fun forget() {
        statuses.clear()
        keys.clear()
    }

    @AfterAll
    fun stop() = server.stop(0)

    @Test
    fun aFunctionThatSuspendsIsSentAgainUnderTheSameKey() {
        statuses.addAll(listOf(429, 429))

        runBlocking { carrier.ship(parcel()) }

        assertThat(keys).hasSize(3)
        assertThat(keys.toSet()).hasSize(1).doesNotContainNull()
    }

    @Test
    fun aKeyParameterIsSentAsItIs() {
        runBlocking { carrier.shipAs(parcel(), "k-1") }

        assertThat(keys).containsExactly("k-1")
    }

    @Test
    fun aRefusalIsTyped() {
        statuses.add(422)

        assertThat(catchThrowable { runBlocking { carrier.ship(parcel()) } })
            .isInstanceOf(IdempotencyKeyReusedException::class.java)
            .hasCauseInstanceOf(HttpClientResponseException::class.java)
        assertThat(keys).hasSize(1)
    }

    @Test
    fun insideAnOperationTheKeyIsDerivedAlsoAfterTheFunctionSuspended() {
        val derived = runBlocking { shipping.dispatch(parcel()) }

        assertThat(keys).containsExactly(derived)
    }
}
