package io.idempotency.definition;

import io.micronaut.core.annotation.Internal;

/**
 * The version of this library. A constant, so that the compiler copies it into the processor and into the runtime, and
 * each keeps the version that it was built as, whatever else is on the class path.
 */
@Internal
public final class LibraryVersion {

    /** As in the build file; a test compares the two. */
    public static final String CURRENT = "0.1.0-SNAPSHOT";

    private LibraryVersion() {}
}
