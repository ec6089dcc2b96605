package io.idempotency.processor.model;

import com.palantir.javapoet.CodeBlock;
import java.util.stream.Stream;

/** An expression in generated source code over a value, which may occur in it several times. */
@FunctionalInterface
public interface Code {

    Code VALUE = value -> value;

    /** Applies this expression to a value, which must have no side effects. */
    CodeBlock over(CodeBlock value);

    /** Makes an expression in JavaPoet's notation: {@code $1L} is the value, the arguments are numbered from 2. */
    static Code of(String format, Object... arguments) {
        return value -> CodeBlock.of(
                format, Stream.concat(Stream.of(value), Stream.of(arguments)).toArray());
    }

    default CodeBlock over(String variable) {
        return over(CodeBlock.of("$N", variable));
    }

    /** Applies another expression to the result of this one. */
    default Code then(Code next) {
        return value -> next.over(over(value));
    }

    default Code as(BoundType type) {
        return then(type.is("java.lang.Object") ? VALUE : of("(($2T) $1L)", type.typeName()));
    }
}
