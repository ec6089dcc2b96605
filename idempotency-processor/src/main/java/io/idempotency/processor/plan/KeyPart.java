package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.OperationParameter;
import java.util.List;

/**
 * One part of a key: the way from a parameter to a scalar.
 *
 * @param parameter where it starts
 * @param steps what to follow, possibly nothing
 * @param tag the tag of the scalar's type; empty for texts
 * @param text the canonical text of the value, which is not null
 */
public record KeyPart(OperationParameter parameter, List<Step> steps, String tag, Code text) {

    /**
     * A step on the way.
     *
     * @param name what it leads to, for readers of the generated code
     * @param code reads it of the value before it, which is not null
     * @param type its type
     */
    public record Step(String name, Code code, BoundType type) {}
}
