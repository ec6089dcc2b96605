package com.example.shop;

import io.micronaut.serde.annotation.Serdeable;

/** The message: an order that was placed. */
@Serdeable
record OrderPlaced(String orderId, int amount) {}
