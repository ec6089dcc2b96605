package com.example.shop;

import io.micronaut.serde.annotation.Serdeable;

/** What a customer orders. */
@Serdeable
record OrderRequest(String orderId, int amount) {}
