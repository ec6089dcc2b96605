package com.example.shop;

import java.util.Map;

class H2Test extends ShopCase {

    @Override
    public Map<String, String> getProperties() {
        return Map.of("idempotency.store", "jdbc", "shop.h2", "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    }
}
