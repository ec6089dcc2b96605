package io.idempotency.http.server.management;

import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.Audited;
import io.idempotency.runtime.IdempotencyRecords.Page;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.micronaut.management.endpoint.annotation.Write;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code /idempotency}: shows, settles and erases records; configured by {@code endpoints.idempotency.*}. */
@Endpoint(id = IdempotencyEndpoint.ID, defaultSensitive = true)
@Requires(classes = Endpoint.class)
@ExecuteOn(TaskExecutors.BLOCKING)
class IdempotencyEndpoint {

    static final String ID = "idempotency";

    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{8,63}");

    private final IdempotencyRecords records;
    private final JsonMapper json;
    private final boolean ui;

    IdempotencyEndpoint(IdempotencyRecords records, JsonMapper json, OperatorPage.Configuration configuration) {
        this.records = records;
        this.json = json;
        this.ui = configuration.ui();
    }

    /** Lists records, and names the authenticated caller, if any. */
    @Read
    public HttpResponse<?> list(
            HttpRequest<?> request,
            @QueryValue(defaultValue = "in-doubt") String state,
            @QueryValue @Nullable String operation,
            @QueryValue(defaultValue = "0s") Duration olderThan,
            @QueryValue @Nullable String next,
            @QueryValue(defaultValue = "50") int limit) {
        return answering(() -> {
            Map<String, @Nullable Object> view =
                    RecordView.page(records.list(state(state), operation, olderThan, next, limit));
            request.getUserPrincipal().map(Principal::getName).ifPresent(actor -> view.put("actor", actor));
            return HttpResponse.ok(view);
        });
    }

    /** Shows one record, the open records whose ids begin with the given digits, or a file of the page. */
    @Read
    public HttpResponse<?> show(@Selector String id) {
        if (OperatorPage.TYPES.containsKey(id)) {
            return ui
                    ? OperatorPage.file(id)
                    : refused(HttpStatus.NOT_FOUND, "the page is switched off. Set idempotency.management.ui: true");
        }
        return answering(() -> DIGITS.matcher(id).matches() ? beginning(id) : shown(records.find(new RecordId(id))));
    }

    private HttpResponse<?> beginning(String digits) {
        List<StoredRecord> open = Stream.of(RecordState.IN_DOUBT, RecordState.IN_PROGRESS)
                .flatMap(this::all)
                .filter(record -> record.id().value().startsWith(digits))
                .toList();
        if (open.isEmpty()) {
            return refused(
                    HttpStatus.NOT_FOUND,
                    "no record in doubt or in progress begins so. Others are found by the whole id or by the key");
        }
        return open.size() == 1
                ? shown(records.find(open.get(0).id()))
                : HttpResponse.ok(RecordView.page(new Page(open, null)));
    }

    private Stream<StoredRecord> all(RecordState state) {
        return Stream.iterate(
                        page(state, null),
                        Objects::nonNull,
                        page -> page.next() == null ? null : page(state, page.next()))
                .flatMap(page -> page.records().stream());
    }

    private Page page(RecordState state, @Nullable String next) {
        return records.list(state, null, Duration.ZERO, next, IdempotencyRecords.LONGEST_PAGE);
    }

    /** Finds a record by its key, or settles one. */
    @Write(consumes = MediaType.APPLICATION_JSON)
    public HttpResponse<?> write(HttpRequest<?> request, @Selector String id, @Body byte[] body) {
        return answering(() -> {
            SettlementInput sent = SettlementInput.of(request, body, json);
            return "find".equals(id)
                    ? shown(records.find(sent.required("operation"), sent.required("key"), sent.text("caller")))
                    : shown(Optional.of(records.settle(new RecordId(id), sent.decision())));
        });
    }

    @Write(consumes = MediaType.APPLICATION_JSON)
    public HttpResponse<?> erase(
            HttpRequest<?> request, @Selector String id, @Selector String action, @Body byte[] body) {
        return answering(() -> {
            SettlementInput sent = SettlementInput.of(request, body, json);
            return "erase".equals(action)
                    ? shown(Optional.of(records.erase(new RecordId(id), sent.actor(), sent.required("reason"))))
                    : refused(HttpStatus.NOT_FOUND, "a record can be settled, and its data erased: /{id}/erase");
        });
    }

    private static HttpResponse<?> shown(Optional<Audited> found) {
        return found.<HttpResponse<?>>map(record -> HttpResponse.ok(RecordView.of(record)))
                .orElseGet(() -> refused(HttpStatus.NOT_FOUND, "there is no such record"));
    }

    private static RecordState state(String text) {
        return Stream.of(RecordState.values())
                .filter(state -> RecordView.kebab(state).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no such state. States are "
                        + Stream.of(RecordState.values()).map(RecordView::kebab).collect(Collectors.joining(", "))));
    }

    private static HttpResponse<?> answering(Supplier<HttpResponse<?>> answer) {
        try {
            return answer.get().toMutableResponse().header(HttpHeaders.CACHE_CONTROL, "no-store");
        } catch (IdempotencyRecords.RecordChangedException e) {
            return refused(HttpStatus.CONFLICT, e.getMessage());
        } catch (IllegalArgumentException e) {
            return refused(HttpStatus.BAD_REQUEST, e.getMessage());
        }
    }

    private static HttpResponse<?> refused(HttpStatus status, @Nullable String why) {
        return HttpResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
                .body(Map.of("title", status.getReason(), "status", status.getCode(), "detail", String.valueOf(why)));
    }
}
