package com.example.shop;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What Micronaut's modules for connection pools make elsewhere. */
@Factory
class Servers {

    @Singleton
    @Named("default")
    @Requires(property = "shop.h2")
    DataSource h2(@Value("${shop.h2}") String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(url);
        return source;
    }

    @Singleton
    @Named("default")
    @Requires(property = "shop.postgresql.url")
    DataSource postgresql(
            @Value("${shop.postgresql.url}") String url,
            @Value("${shop.postgresql.user}") String user,
            @Value("${shop.postgresql.password}") String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }
}
