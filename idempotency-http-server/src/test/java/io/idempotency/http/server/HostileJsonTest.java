package io.idempotency.http.server;

import static io.micronaut.http.HttpRequest.POST;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** JSON that is made to break its reader is refused: the server itself never fails for it. */
@Tag("any-jdk")
@MicronautTest
@Property(name = "test.hostile", value = "true")
@Property(name = "idempotency.http.routes.hostile.path", value = "/hostile/configured-*")
@Property(name = "idempotency.http.routes.hostile.canonical-json", value = "true")
class HostileJsonTest {

    private static final int DEEP = 200_000;

    @Inject
    @Client("/hostile")
    HttpClient client;

    @Serdeable
    record Order(
            @Nullable BigDecimal amount,
            @Nullable BigInteger count,
            @Nullable Map<String, Object> more,
            @Nullable List<Order> parts,
            @Nullable Long number,
            @Nullable Double ratio) {}

    @Controller("/hostile")
    @Requires(property = "test.hostile")
    static class HostileController {

        @Post("/annotated")
        @IdempotentOperation("hostile-annotated")
        String annotated(@Body Order order) {
            return "done";
        }

        @Post("/arguments")
        @IdempotentOperation(value = "hostile-arguments", key = "order.amount")
        String arguments(@Body Order order) {
            return "done";
        }

        @Post("/map")
        @IdempotentOperation("hostile-map")
        String map(@Body Map<String, BigDecimal> order) {
            return "done";
        }

        @Post("/configured-order")
        String configured(@Body Order order) {
            return "done";
        }

        @Post("/configured-bytes")
        String bytes(@Body byte[] order) {
            return "done";
        }
    }

    static Stream<Arguments> requests() {
        List<String> values = List.of(
                "1e1000000000",
                "-1e1000000000",
                "1e-1000000000",
                "1e99999999999",
                "9".repeat(5000),
                "[".repeat(DEEP) + "]".repeat(DEEP),
                "{\"parts\":[".repeat(DEEP) + "]}".repeat(DEEP),
                "{\"more\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
        List<String> names = List.of("amount", "count", "more", "parts", "number", "ratio", "unknown");
        return Stream.of("annotated", "arguments", "map", "configured-order", "configured-bytes")
                .flatMap(path -> values.stream()
                        .flatMap(value -> Stream.concat(
                                Stream.of(Arguments.of(path, value)),
                                names.stream().map(name -> Arguments.of(path, "{\"" + name + "\":" + value + "}")))));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("requests")
    void isNoFailureOfTheServer(String path, String json) {
        HttpResponse<byte[]> answer = new Wire(client)
                .send(POST("/hostile/" + path, json)
                        .contentType(MediaType.APPLICATION_JSON_TYPE)
                        .header("Idempotency-Key", UUID.randomUUID().toString()));
        assertThat(answer.code()).isBetween(200, 499);
    }
}
