package io.idempotency.benchmarks;

import java.util.List;

/** One thing that is measured. */
@FunctionalInterface
interface Part {
    List<Table> measure(Settings settings) throws Exception;
}
