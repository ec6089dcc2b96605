package com.example.shop;

import io.idempotency.test.servers.PostgresServer;
import java.util.Map;

class PostgresTest extends ShopCase {

    @Override
    public Map<String, String> getProperties() {
        PostgresServer server = PostgresServer.shared();
        return Map.of(
                "idempotency.store", "jdbc",
                "shop.postgresql.url", server.url(),
                "shop.postgresql.user", server.user(),
                "shop.postgresql.password", server.password());
    }
}
