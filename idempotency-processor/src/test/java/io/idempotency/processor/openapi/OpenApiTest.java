package io.idempotency.processor.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.idempotency.processor.compile.Compilation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What micronaut-openapi, run in the same compilation, says of idempotent routes. It knows one document per JVM. */
class OpenApiTest {

    private static final String SERVICE = """
            package demo;
            import io.idempotency.*;
            import io.micronaut.http.*;
            import io.micronaut.http.annotation.*;
            import io.swagger.v3.oas.annotations.*;
            import io.swagger.v3.oas.annotations.enums.ParameterIn;
            import io.swagger.v3.oas.annotations.info.*;
            import io.swagger.v3.oas.annotations.responses.*;
            @OpenAPIDefinition(info = @Info(title = "demo", version = "1"))
            @Controller
            class Payments {
                public record Order(String id) {}
                public record Paid(String id) {}

                @Post("/required") @Status(HttpStatus.CREATED) @IdempotentOperation(retention = "30d")
                public Paid required(@Body Order o) { return null; }

                @Post("/optional") @IdempotentOperation(keyRequired = false)
                public Paid optional(@Body Order o) { return null; }

                @Post("/described") @IdempotentOperation
                @Operation(summary = "pays", parameters = @Parameter(name = "X-Mine", in = ParameterIn.HEADER))
                @ApiResponse(responseCode = "202", description = "taken")
                @ApiResponse(responseCode = "409", description = "mine")
                public Paid described(@Body Order o) { return null; }

                @Post("/nested") @IdempotentOperation
                @Operation(responses = @ApiResponse(responseCode = "202", description = "taken"))
                public Paid nested(@Body Order o) { return null; }

                @Post("/binds") @IdempotentOperation
                public Paid binds(@Body Order o, @Header("Idempotency-Key") String key) { return null; }

                @Post("/own-key") @IdempotentOperation(key = "o.id")
                public Paid ownKey(@Body Order o) { return null; }

                @Post("/forbids") @IdempotentOperation(otherCallers = OtherCallers.FORBID)
                public Paid forbids(@Body Order o) { return null; }

                @Post("/isolates") @IdempotentOperation(otherCallers = OtherCallers.ISOLATE)
                public Paid isolates(@Body Order o) { return null; }

                @Post("/other")
                public Paid other(@Body Order o) { return null; }
            }
            """;

    private static JsonNode paths;

    @BeforeAll
    static void compile() throws JsonProcessingException {
        Compilation compiled = Compilation.with(List.of("-Amicronaut.openapi.enabled=true"), SERVICE);
        assertThat(compiled.errors()).isEmpty();
        String yaml = compiled.resources(".yml").values().iterator().next();
        paths = new YAMLMapper().readTree(yaml).path("paths");
    }

    private static JsonNode route(String path) {
        return paths.path(path).path("post");
    }

    private static List<String> statuses(String path) {
        List<String> statuses = new ArrayList<>();
        route(path).path("responses").fieldNames().forEachRemaining(statuses::add);
        return statuses;
    }

    private static String description(String path, String status) {
        return route(path).path("responses").path(status).path("description").asText();
    }

    @Test
    void theHeaderIsDescribedWithItsRetention() {
        JsonNode header = route("/required").path("parameters").path(0);
        assertThat(header.path("name").asText()).isEqualTo("Idempotency-Key");
        assertThat(header.path("in").asText()).isEqualTo("header");
        assertThat(header.path("required").asBoolean()).isTrue();
        assertThat(header.path("description").asText()).contains("the same for each retry", "remembered for 30d");
        assertThat(header.path("schema").path("maxLength").asInt()).isEqualTo(255);
    }

    @Test
    void aHeaderThatMayBeLeftOutIsNotRequired() {
        JsonNode header = route("/optional").path("parameters").path(0);
        assertThat(header.path("required").asBoolean()).isFalse();
        assertThat(header.path("description").asText()).contains("not protected", "24h, unless the service");
        assertThat(description("/required", "400")).contains("key-invalid", "key-missing");
        assertThat(description("/optional", "400")).contains("key-invalid").doesNotContain("key-missing");
    }

    @Test
    void theRefusalsAreDescribedAsProblems() {
        for (String status : List.of("400", "409", "422", "503")) {
            JsonNode schema = route("/required")
                    .path("responses")
                    .path(status)
                    .path("content")
                    .path("application/problem+json")
                    .path("schema");
            assertThat(schema.path("type").asText()).isEqualTo("object");
            assertThat(schema.path("example").path("status").asText()).isEqualTo(status);
        }
        assertThat(description("/required", "422")).contains("key-reused");
        assertThat(description("/required", "409")).contains("in-progress", "outcome-unknown");
    }

    @Test
    void theAnswerItselfIsDescribedAsBeforeAndItsReplayToo() {
        JsonNode created = route("/required").path("responses").path("201");
        assertThat(created.path("content")
                        .path("application/json")
                        .path("schema")
                        .path("$ref")
                        .asText())
                .endsWith("Payments.Paid");
        assertThat(created.path("headers").has("Idempotent-Replayed")).isTrue();
    }

    @Test
    void whatTheRouteSaysItselfStays() {
        assertThat(route("/described").path("summary").asText()).isEqualTo("pays");
        assertThat(route("/described").path("parameters").findValuesAsText("name"))
                .containsExactly("X-Mine", "Idempotency-Key");
        assertThat(statuses("/described")).containsExactlyInAnyOrder("202", "400", "409", "422", "429", "503");
        assertThat(description("/described", "409")).isEqualTo("mine");
        assertThat(statuses("/nested")).containsExactlyInAnyOrder("202", "400", "409", "422", "429", "503");
    }

    @Test
    void aRouteThatBindsTheHeaderHasItOnce() {
        assertThat(route("/binds").path("parameters").findValuesAsText("name")).containsExactly("Idempotency-Key");
    }

    @Test
    void aRouteWhoseKeyIsInTheRequestNeedsNoHeader() {
        assertThat(route("/own-key").has("parameters")).isFalse();
        assertThat(statuses("/own-key")).containsExactlyInAnyOrder("200", "409", "422", "429", "503");
    }

    @Test
    void onlyARouteThatForbidsOtherCallersRefusesThem() {
        assertThat(description("/forbids", "403")).contains("key-foreign");
        assertThat(statuses("/isolates")).doesNotContain("403");
        assertThat(statuses("/required")).doesNotContain("403");
    }

    @Test
    void otherRoutesAreLeftAlone() {
        assertThat(route("/other").has("parameters")).isFalse();
        assertThat(statuses("/other")).containsExactly("200");
    }
}
