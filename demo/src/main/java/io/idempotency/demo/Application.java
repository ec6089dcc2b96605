package io.idempotency.demo;

import io.micronaut.runtime.Micronaut;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;

/** Starts the demo. It describes itself under {@code /swagger/payments-1.yml}. */
@OpenAPIDefinition(info = @Info(title = "payments", version = "1"))
public final class Application {

    private Application() {}

    /**
     * Starts the demo on port 8080.
     *
     * @param args command line arguments, properties among them
     */
    public static void main(String[] args) {
        Micronaut.run(Application.class, args);
    }
}
