package io.idempotency.integration.campaign;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/** Stores that break one promise each, as libraries of this kind have done. */
@Singleton
@Requires(property = Sabotage.PROPERTY)
class Sabotage implements StoreDecorator {

    static final String PROPERTY = "campaign.sabotage";

    /** What is broken. */
    enum Defect {
        /** Every claim is granted, whatever the record says. */
        CLAIM_WITHOUT_CONDITION,
        /** An outcome is recorded whatever owner asks, in the name of the owner that the record has by then. */
        COMPLETE_WITHOUT_OWNER,
        /** A failure deletes the claim. */
        DELETE_ON_EXCEPTION,
        /** A record whose lease is over is as good as absent. */
        LEASE_AS_TTL,
        /** Arguments are not compared. */
        NO_FINGERPRINT,
        /** Where the outcome cannot be recorded, the claim is given back. */
        RELEASE_ON_FAILED_COMPLETION
    }

    private final Defect defect;

    Sabotage(@Value("${" + PROPERTY + "}") Defect defect) {
        this.defect = defect;
    }

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        return new SabotagedStore(store, defect);
    }
}
