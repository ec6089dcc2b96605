package com.example.shop;

/** What handling an order does. */
interface Shipments {

    void ship(OrderPlaced order);
}
