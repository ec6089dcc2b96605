package io.idempotency.test;

import java.util.List;

/** The results and exceptions of simultaneous calls, in no particular order. Null results are left out. */
public record Duplicates<T>(List<T> returned, List<Throwable> thrown) {}
