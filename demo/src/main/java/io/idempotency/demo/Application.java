package io.idempotency.demo;

import io.micronaut.runtime.Micronaut;

/** Starts the demo. */
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
