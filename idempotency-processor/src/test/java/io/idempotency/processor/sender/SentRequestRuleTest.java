package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;

class SentRequestRuleTest {

    @Test
    void aSafeMethodThatIsMarkedItselfIsPointedOut() {
        Compilation compiled = Clients.compile("@Get(\"/a\") @SendsIdempotencyKey String find(String id);");
        assertThat(compiled.errors()).isEmpty();
        assertThat(compiled.warnings())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.find: GET is safe", "no key is sent");
    }

    @Test
    void ofAMarkedTypeASafeMethodIsSilentlyLeftAlone() {
        Compilation compiled = Clients.annotated(
                "@SendsIdempotencyKey",
                "@Get(\"/a\") String find(String id); @Post(\"/a\") String pay(@Body String id);");
        assertThat(compiled.errors()).isEmpty();
        assertThat(compiled.warnings()).isEmpty();
    }

    @Test
    void aMethodOfAClientThatMakesNoRequestOfItsOwnIsRefused() {
        assertThat(Clients.compile("@SendsIdempotencyKey default String both() { return \"\"; }")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.both: this method of a client makes no request of its own");
    }

    @Test
    void aServiceIsForLowLevelClients() {
        assertThat(Clients.compile("@Post(\"/a\") @SendsIdempotencyKey(service = \"x\") String pay(@Body String id);")
                        .errors())
                .singleElement()
                .asString()
                .contains("Psp.pay: service = … is for methods that call a low-level client");
    }
}
