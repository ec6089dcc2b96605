package com.example.shop;

import com.example.shop.OrderController.OrderRequest;
import com.example.shop.OrderController.Receipt;
import io.idempotency.IdempotencyKey;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.annotation.Client;

/** Sends the key of each call. */
@Client("/orders")
@SendsIdempotencyKey
interface OrderClient {

    @Post
    Receipt place(@Body OrderRequest request, @IdempotencyKey String key);

    @Post
    Receipt place(@Body OrderRequest request);
}
