package io.idempotency.integration.campaign;

import io.idempotency.integration.campaign.CampaignNode.Keys;
import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Told;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** HTTP clients that pay with keys of their own and retry lost and refused requests, on any node. */
final class Clients implements AutoCloseable {

    private static final int THREADS = 6;
    private static final int TRIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final List<String> NAMES = List.of("anna", "bert");
    private static final String STATUS = "Idempotency-Status";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final AtomicLong calls = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final History history;
    private final IntSupplier port;
    private volatile boolean ended;

    /** Clients of any node; {@code port} is negative where no node is ready. */
    Clients(History history, IntSupplier port) {
        this.history = history;
        this.port = port;
    }

    void start(long since) {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> callUntilEnded(since), "client-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void callUntilEnded(long since) {
        while (!ended) {
            String key = Keys.some(since, Kind.PAY);
            String client = NAMES.get(ThreadLocalRandom.current().nextInt(NAMES.size()));
            String payload = Keys.payload(key);
            Told told = call(client, key, payload);
            for (int i = 1; i < TRIES && told != null && retries(told) && !ended; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                told = call(client, key, payload);
            }
            if (told == null) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static boolean retries(Told told) {
        return told.answer() == Answer.LOST || told.answer() == Answer.DID_NOT_RUN;
    }

    /** Calls the keys of all clients once more, until each has an answer that lasts. */
    void again() {
        for (String name : history.keys()) {
            if (Kind.of(name) == Kind.PAY) {
                String client = name.substring(name.indexOf('@') + 1);
                String key = name.substring(0, name.indexOf('@'));
                long since = System.nanoTime();
                Told told = call(client, key, Keys.original(key));
                while ((told == null || retries(told)) && System.nanoTime() - since < TIMEOUT.toNanos()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                    told = call(client, key, Keys.original(key));
                }
            }
        }
    }

    private @Nullable Told call(String client, String key, String payload) {
        int there = port.getAsInt();
        if (there < 0) {
            return null;
        }
        String call = client + '-' + calls.incrementAndGet();
        String own = key + '@' + client;
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + there + "/pay"))
                .timeout(TIMEOUT)
                .header("Idempotency-Key", key)
                .header("X-Api-Key", client)
                .header("X-Call", call)
                .header("X-Key", own)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(payload))
                .build();
        long start = System.nanoTime();
        Answer answer;
        String value = "";
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            String status = response.headers().firstValue(STATUS).orElse("");
            answer = meaning(response.statusCode(), status);
            value = answer == Answer.RESULT ? response.body() : response.statusCode() + " " + status;
        } catch (IOException e) {
            answer = Answer.LOST;
        } catch (InterruptedException e) {
            return null; // the campaign is over
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        Told told = new Told(call, own, payload, answer, value, took, System.currentTimeMillis());
        history.add(told);
        return told;
    }

    private static Answer meaning(int status, String idempotency) {
        if (status == 200) {
            return Answer.RESULT;
        }
        if (idempotency.contains("code=outcome-unknown")) {
            return Answer.UNKNOWN;
        }
        if (idempotency.contains("code=key-reused")) {
            return Answer.OTHER_PAYLOAD;
        }
        return idempotency.contains("executed=no") || idempotency.contains("code=in-progress")
                ? Answer.DID_NOT_RUN
                : Answer.FAILED;
    }

    void end() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
