package io.idempotency.runtime.intercept;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A result with nothing in it, in every way in which that can be said. */
@Serdeable
record Sparse(
        String text,
        List<String> list,
        Map<String, String> map,
        Optional<String> maybe,
        @Nullable String none) {}
