package io.idempotency.processor.model;

import com.palantir.javapoet.CodeBlock;
import java.util.stream.Stream;

/** An expression of generated source code over a value, which may stand in it several times. */
@FunctionalInterface
public interface Code {

    Code VALUE = value -> value;

    /** The expression for a value, which is itself an expression without side effects. */
    CodeBlock over(CodeBlock value);

    /**
     * An expression in JavaPoet's notation with numbered arguments.
     *
     * @param format the expression, in which {@code $1L} stands for the value
     * @param arguments what the numbers from 2 on stand for
     */
    static Code of(String format, Object... arguments) {
        return value -> CodeBlock.of(
                format, Stream.concat(Stream.of(value), Stream.of(arguments)).toArray());
    }

    /** The expression over a variable. */
    default CodeBlock over(String variable) {
        return over(CodeBlock.of("$N", variable));
    }

    /** An expression over the result of this one. */
    default Code then(Code next) {
        return value -> next.over(over(value));
    }

    /** The result of this one, cast to a type. */
    default Code as(BoundType type) {
        return then(type.is("java.lang.Object") ? VALUE : of("(($2T) $1L)", type.typeName()));
    }
}
