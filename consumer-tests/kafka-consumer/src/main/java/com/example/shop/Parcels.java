package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;

/** Packs each order once. Nobody can ask what became of a parcel: an owner's death leaves its outcome unknown. */
@Singleton
class Parcels {

    private final Shipments shipments;

    Parcels(Shipments shipments) {
        this.shipments = shipments;
    }

    @IdempotentOperation(value = "pack-order", key = "order.orderId")
    void pack(OrderPlaced order) {
        shipments.ship(order);
    }
}
