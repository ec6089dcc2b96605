package io.idempotency.processor.plan;

import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationParameter;
import java.util.List;

/**
 * One part of a key: the way from a parameter to a scalar.
 *
 * @param parameter where it starts
 * @param steps what to follow, possibly nothing
 * @param tag the tag of the scalar's type; empty for texts
 * @param text takes the value, which is not null, and leaves its canonical text
 */
public record KeyPart(OperationParameter parameter, List<Step> steps, String tag, Code text) {

    /**
     * A step on the way.
     *
     * @param code takes the value before it, which is not null, and leaves the next
     * @param type its type
     */
    public record Step(Code code, BoundType type) {}
}
