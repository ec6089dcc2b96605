package io.idempotency.http.server;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;

/** Sends requests and takes whatever comes back as it is. */
public record Wire(HttpClient client) {

    public static MutableHttpRequest<String> post(String path, String body) {
        return HttpRequest.POST(path, body)
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .accept(MediaType.ALL_TYPE);
    }

    public HttpResponse<byte[]> send(MutableHttpRequest<?> request) {
        try {
            return client.toBlocking().exchange(request, byte[].class);
        } catch (HttpClientResponseException e) {
            @SuppressWarnings("unchecked")
            HttpResponse<byte[]> response = (HttpResponse<byte[]>) e.getResponse();
            return response;
        }
    }

    public static String text(HttpResponse<byte[]> response) {
        return response.getBody(String.class).orElse("");
    }
}
