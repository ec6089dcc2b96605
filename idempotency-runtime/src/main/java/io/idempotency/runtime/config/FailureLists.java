package io.idempotency.runtime.config;

import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** What exceptions of which types say about the effect, as one place of the configuration has it. */
public interface FailureLists {

    /**
     * Exceptions that prove that a body had no effect.
     *
     * @return class names; null when not written
     */
    @Nullable
    List<String> getNoEffectFor();

    /**
     * Exceptions by which a body itself decided to fail.
     *
     * @return class names; null when not written
     */
    @Nullable
    List<String> getFinalFor();

    /**
     * Exceptions that leave open whether a body had an effect.
     *
     * @return class names; null when not written
     */
    @Nullable
    List<String> getUnknownFor();
}
