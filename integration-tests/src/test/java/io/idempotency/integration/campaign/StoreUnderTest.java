package io.idempotency.integration.campaign;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A real store and what can happen to it. */
interface StoreUnderTest extends AutoCloseable {

    /** The configuration of a node, through whatever breaks the network. */
    Map<String, Object> properties();

    /** The configuration of a node that no fault of the network reaches. */
    Map<String, Object> undisturbed();

    /** What can happen to it, without what happens to nodes. */
    Set<Fault> faults();

    /** Makes a fault happen and ends it. */
    void happen(Fault fault) throws Exception;

    /** Effects that were written in the store's own transactions. */
    List<Event.Effect> bookings() throws Exception;

    /** What the report calls it. */
    @Override
    String toString();
}
