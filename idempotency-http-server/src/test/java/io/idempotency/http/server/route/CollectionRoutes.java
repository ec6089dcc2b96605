package io.idempotency.http.server.route;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;

/** Routes of whatever type a controller names; a class of its own, since Micronaut resolves no type of a nested one. */
abstract class CollectionRoutes<T> {

    @Post("/add")
    @IdempotentOperation
    String add(@Body T order) {
        return InheritedRoutesTest.ran(order);
    }

    @Post("/fail")
    @IdempotentOperation
    String fail(@Body T order) {
        throw InheritedRoutesTest.gone();
    }
}
