package io.idempotency.integration.campaign;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One run: nodes that share a store, clients and jobs that call, a ledger that has the effects, and faults by a seed. Afterwards
 * every key is called once more, and the history is checked.
 */
final class Campaign implements AutoCloseable {

    /** The driver's time-outs, a wait, a slow body, a paused process and a busy machine together. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofMinutes(5);
    private static final int STARTS = 20;
    private static final int STANDS_STILL_MILLIS = 5_000;
    private static final int LEASE_MILLIS = 3_000;
    private static final int BETWEEN_MILLIS = Integer.getInteger("campaign.between", 6_000);

    private final StoreUnderTest store;
    private final Path logs;
    private final Random random;
    private final Map<String, Object> more;
    private final Child[] nodes;
    private final Child ledger;
    private final History history = new History();
    private final Clients clients = new Clients(history, this::somePort);
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final long since = System.currentTimeMillis();
    private List<Fault> only = List.of();
    private ClassArchive archive = ClassArchive.none();
    private int started;

    /**
     * Starts the ledger.
     *
     * @param store the nodes' store; not closed
     * @param nodes how many
     * @param logs where the processes' output goes
     * @param random chooses faults
     * @param more further properties of each node
     */
    Campaign(StoreUnderTest store, int nodes, Path logs, Random random, Map<String, Object> more) throws IOException {
        this.store = store;
        this.logs = Files.createDirectories(logs);
        this.random = random;
        this.more = more;
        this.nodes = new Child[nodes];
        this.ledger = Child.start(
                archive.command(Ledger.class, List.of(Long.toString(random.nextLong()))),
                history::add,
                logs.resolve("ledger.log"));
        await().atMost(SOON).until(ledger::ready);
    }

    /** Starts nodes from an archive of their classes. Only for long runs: making it takes as long as a start. */
    Campaign archived() throws Exception {
        archive = ClassArchive.in(logs.resolve("classes"));
        return this;
    }

    /** Only these faults happen, one after the other. */
    Campaign with(List<Fault> chosen) {
        only = List.copyOf(chosen);
        return this;
    }

    /** Calls under faults for so long; in the end all nodes are killed. */
    void run(Duration span) throws Exception {
        if (archive.isMissing()) {
            Path noKeys = Files.write(logs.resolve("no-keys"), List.of());
            node(store.undisturbed(), List.of(CampaignNode.AGAIN + '=' + noKeys))
                    .awaitEnd();
        }
        start(nodes.length);
        clients.start(since);
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            pause(BETWEEN_MILLIS);
            if (System.nanoTime() < end) {
                happens(fault());
            }
        }
        start(1); // clients that are calling need an answer to end
        clients.end();
        for (Child node : nodes) {
            node.kill();
            faults.merge(Fault.NODE_KILLED, 1, Integer::sum);
        }
    }

    /** Starts every node that is down: one that finds no store gives up. Returns once enough of them are ready. */
    private void start(int enough) {
        int before = started;
        await().atMost(SOON)
                .failFast("Nodes end as soon as they are started, see " + logs, () -> started > before + STARTS)
                .until(() -> {
                    int ready = 0;
                    for (int i = 0; i < nodes.length; i++) {
                        if (nodes[i] == null || !nodes[i].alive()) {
                            nodes[i] = node(store.properties(), List.of(CampaignNode.SINCE + '=' + since));
                        }
                        ready += nodes[i].ready() ? 1 : 0;
                    }
                    return ready >= enough;
                });
    }

    private Child node(Map<String, Object> properties, List<String> own) throws IOException {
        List<String> arguments = new ArrayList<>(own);
        arguments.add(CampaignNode.PROPERTY + "=true");
        arguments.add("campaign.ledger=" + ledger.port());
        arguments.add(CampaignNode.THINK + '=' + Integer.getInteger(CampaignNode.THINK, 0));
        arguments.add("micronaut.server.port=-1");
        properties.forEach((name, value) -> arguments.add(name + '=' + value));
        more.forEach((name, value) -> arguments.add(name + '=' + value));
        return Child.start(
                archive.command(CampaignNode.class, arguments),
                history::add,
                logs.resolve("node-" + started++ + ".log"));
    }

    private int somePort() {
        Child node = nodes[ThreadLocalRandom.current().nextInt(nodes.length)];
        return node != null && node.ready() ? node.port() : -1;
    }

    private Fault fault() {
        if (!only.isEmpty()) {
            return only.get(random.nextInt(only.size()));
        }
        List<Fault> ofStore = new ArrayList<>(store.faults());
        ofStore.sort(null);
        int among = random.nextInt(12);
        if (among < 8 || ofStore.isEmpty()) {
            return among % 8 == 0 ? Fault.NODE_STOPPED : Fault.NODE_KILLED;
        }
        return ofStore.get(random.nextInt(ofStore.size()));
    }

    void happens(Fault fault) throws Exception {
        faults.merge(fault, 1, Integer::sum);
        history.add(new Event.Happened(fault, System.currentTimeMillis()));
        Child node = serving();
        switch (fault) {
            case NODE_KILLED -> node.kill();
            case NODE_STOPPED -> {
                node.signal("STOP");
                pause(STANDS_STILL_MILLIS);
                LockSupport.parkNanos(only.isEmpty() ? 0 : TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS));
                node.signal("CONT");
            }
            default -> store.happen(fault);
        }
        start(only.isEmpty() ? 1 : nodes.length);
    }

    /** One that has calls under way, where there is one. */
    private Child serving() {
        List<Child> all = new ArrayList<>(List.of(nodes));
        Collections.shuffle(all, random);
        return all.stream().filter(Child::ready).findFirst().orElse(all.get(0));
    }

    /** Calls every key once more on a node that nothing happens to, and compares. */
    List<String> violations() throws Exception {
        List<Event.Effect> booked = store.bookings();
        booked.forEach(history::add);
        history.heal();
        Path keys = Files.write(
                logs.resolve("keys"),
                history.keys().stream()
                        .filter(key -> Kind.of(key) != Kind.PAY)
                        .sorted()
                        .toList());
        int exit = node(store.undisturbed(), List.of(CampaignNode.AGAIN + '=' + keys))
                .awaitEnd();
        if (exit != 0) {
            throw new IllegalStateException(
                    "The node that called every key once more ended with " + exit + ", see " + logs);
        }
        nodes[0] = node(store.undisturbed(), List.of());
        await().atMost(SOON).until(nodes[0]::ready);
        for (int i = 1; i < nodes.length; i++) {
            nodes[i] = nodes[0];
        }
        clients.again();
        nodes[0].kill();
        List<Event.Effect> late = new ArrayList<>(store.bookings());
        late.removeAll(Set.copyOf(booked));
        late.forEach(history::add);
        history.write(logs.resolve("history.tsv"));
        return new Checker(LONGEST_WAIT).violations(history);
    }

    private void pause(int atMostMillis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(atMostMillis)));
    }

    /** The processes of the nodes, none of which is started again where no fault kills it. */
    List<Long> pids() {
        return Stream.of(nodes).filter(Objects::nonNull).map(Child::pid).toList();
    }

    History history() {
        return history;
    }

    StoreUnderTest store() {
        return store;
    }

    Map<Fault, Integer> faults() {
        return faults;
    }

    @Override
    public void close() throws Exception {
        clients.close();
        for (Child node : nodes) {
            if (node != null) {
                node.kill();
            }
        }
        ledger.kill();
    }

    @Override
    public String toString() {
        return store + ": " + history.calls() + " calls of " + history.keys().size() + " keys, " + history.answers()
                + ", " + faults + ", " + started + " nodes";
    }
}
