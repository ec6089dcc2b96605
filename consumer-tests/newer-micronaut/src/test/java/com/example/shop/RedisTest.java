package com.example.shop;

import io.idempotency.test.servers.RedisServer;
import java.util.Map;

class RedisTest extends ShopCase {

    @Override
    public Map<String, String> getProperties() {
        return Map.of("idempotency.store", "redis", "redis.uri", RedisServer.shared().uri());
    }
}
