package io.idempotency.kotlin

import io.micronaut.http.HttpRequest
import io.micronaut.http.HttpResponse
import io.micronaut.http.client.HttpClient
import io.micronaut.http.client.annotation.Client
import io.micronaut.http.client.exceptions.HttpClientResponseException
import io.micronaut.test.extensions.junit5.annotation.MicronautTest
import java.util.UUID
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@MicronautTest
class SuspendingRouteTest(
    private val controller: OrderController,
    @param:Client("/orders") private val client: HttpClient,
) {

    private val id = UUID.randomUUID().toString()
    private val wish = Wish(id, "tea")

    @BeforeEach
    fun reset() = controller.runs.set(0)

    private fun send(path: String, wish: Wish, key: String?): HttpResponse<*> {
        val request = HttpRequest.POST("/$path", wish)
        key?.let { request.header("Idempotency-Key", it) }
        return try {
            client.toBlocking().exchange(request, String::class.java)
        } catch (e: HttpClientResponseException) {
            e.response
        }
    }

    private fun body(response: HttpResponse<*>) = response.getBody(String::class.java).orElse("")

    @ParameterizedTest
    @ValueSource(strings = ["by-header", "by-expression", "open"])
    fun aRetryIsReplayedWithTheMark(path: String) {
        val first = send(path, wish, id)
        val replay = send(path, wish, id)

        assertThat(first.header("Idempotent-Replayed")).isNull()
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true")
        assertThat(replay.code()).isEqualTo(first.code()).isBetween(200, 202)
        assertThat(body(replay)).isEqualTo(body(first)).contains(id)
        assertThat(controller.runs).hasValue(1)
    }

    @ParameterizedTest
    @ValueSource(strings = ["by-header", "by-expression", "open"])
    fun anotherPayloadUnderTheKeyIsAProblem(path: String) {
        send(path, wish, id)
        val refused = send(path, wish.copy(pieces = 2), id)

        assertThat(refused.code()).isEqualTo(422)
        assertThat(body(refused)).contains("key-reused", "\"executed\":\"no\"")
        assertThat(controller.runs).hasValue(1)
    }

    @Test
    fun withoutTheHeaderARouteIsRefusedUnlessItsKeyIsInTheBody() {
        val refused = send("by-header", wish, null)

        assertThat(refused.code()).isEqualTo(400)
        assertThat(body(refused)).contains("key-missing")
        assertThat(controller.runs).hasValue(0)
        assertThat(send("by-expression", wish, null).code()).isEqualTo(202)
        assertThat(send("by-expression", wish, null).header("Idempotent-Replayed")).isEqualTo("true")
        assertThat(controller.runs).hasValue(1)
    }
}
