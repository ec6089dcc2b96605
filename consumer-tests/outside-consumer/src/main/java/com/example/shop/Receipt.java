package com.example.shop;

import io.micronaut.serde.annotation.Serdeable;

/** The answer to an order. */
@Serdeable
record Receipt(String orderId, long number) {}
