package io.idempotency.http.server.route;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.convert.value.MutableConvertibleValues;
import io.micronaut.core.convert.value.MutableConvertibleValuesMap;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpResponseWrapper;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpMessage;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.cookie.Cookie;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a route with bytes in the place of its body, around the answer itself, which the application may use again: status and
 * header fields are the answer's, but for what the server knew about its body. The attributes are not, because among them is the route, whose
 * writers are not for bytes.
 */
final class BytesResponse<B> extends HttpResponseWrapper<B> implements MutableHttpResponse<B> {

    private final MutableHttpResponse<B> answer;
    private final ConversionService conversion;
    private final MutableConvertibleValues<Object> attributes = new MutableConvertibleValuesMap<>();
    private @Nullable Object body;
    private @Nullable MessageBodyWriter<B> writer;

    private BytesResponse(MutableHttpResponse<B> answer, @Nullable Object body, ConversionService conversion) {
        super(answer);
        this.answer = answer;
        this.conversion = conversion;
        this.body = body;
    }

    /** Null bytes are those of an answer without a body; a publisher of bytes will do as well. */
    static MutableHttpResponse<?> of(HttpResponse<?> answer, @Nullable Object bytes, ConversionService conversion) {
        MutableHttpResponse<?> own = answer.toMutableResponse();
        remove(own.getHeaders(), HttpHeaders.CONTENT_LENGTH);
        remove(own.getHeaders(), HttpHeaders.TRANSFER_ENCODING);
        return new BytesResponse<>(own, bytes, conversion);
    }

    /** Whatever is removed, the fields are parsed again. */
    private static void remove(MutableHttpHeaders headers, String name) {
        if (headers.contains(name)) {
            headers.remove(name);
        }
    }

    @Override
    public MutableHttpHeaders getHeaders() {
        return answer.getHeaders();
    }

    @Override
    public MutableConvertibleValues<Object> getAttributes() {
        return attributes;
    }

    @Override
    @SuppressWarnings("unchecked") // whoever gives a response another body knows its type
    public Optional<B> getBody() {
        return Optional.ofNullable((B) body);
    }

    @Override
    public <T> Optional<T> getBody(Class<T> type) {
        return getBody(Argument.of(type));
    }

    @Override
    public <T> Optional<T> getBody(Argument<T> type) {
        return conversion.convert(body, type);
    }

    @Override
    public <T> Optional<T> getBody(ArgumentConversionContext<T> context) {
        return conversion.convert(body, context);
    }

    /** A filter in front gives it another one. The server looks for none in the answer itself. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> MutableHttpResponse<T> body(@Nullable T other) {
        answer.body(other);
        body = other;
        return (MutableHttpResponse<T>) this;
    }

    @Override
    public Optional<MessageBodyWriter<B>> getBodyWriter() {
        return Optional.ofNullable(writer);
    }

    @Override
    public MutableHttpMessage<B> bodyWriter(MessageBodyWriter<B> other) {
        writer = other;
        return this;
    }

    @Override
    public MutableHttpResponse<B> cookie(Cookie cookie) {
        answer.cookie(cookie);
        return this;
    }

    @Override
    public MutableHttpResponse<B> status(int status, @Nullable CharSequence message) {
        answer.status(status, message);
        return this;
    }
}
