package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentKeyBindingRuleTest {

    @Test
    void aKeyThatWouldBeInTheBodyTooIsRefused() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey String pay(@IdempotencyKey String id, String order);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: no parameter is the @Body", "@Header(\"Idempotency-Key\")", "key = \"#{ id }\"");
    }

    @Test
    void aKeyThatGoesSomewhereIsFine() {
        assertThat(Clients.annotated("@SendsIdempotencyKey", """
                        @Post("/a") String body(@IdempotencyKey String id, @Body String order);
                        @Post("/a/{id}") String path(@IdempotencyKey String id);
                        @Post("/a{?x,id}") String query(@IdempotencyKey String id, String x);
                        @Post("/a") String header(@IdempotencyKey @Header("Idempotency-Key") String id, String order);
                        @Post("/a") @SendsIdempotencyKey(key = "#{ id }") String both(String id, String order);
                        """).errors()).isEmpty();
    }
}
