package com.example.shop;

import java.util.Map;

class MemoryTest extends ShopCase {

    @Override
    public Map<String, String> getProperties() {
        return Map.of("idempotency.store", "memory");
    }
}
