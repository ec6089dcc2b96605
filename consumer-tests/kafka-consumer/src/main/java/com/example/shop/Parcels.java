package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;

/** Packs each order once. There is no way to ask what became of a parcel, so the death of its owner leaves its outcome unknown. */
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
