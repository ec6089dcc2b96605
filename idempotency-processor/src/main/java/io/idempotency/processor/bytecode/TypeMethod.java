package io.idempotency.processor.bytecode;

import io.idempotency.definition.ExactClass;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayList;
import java.util.Collection;
import org.objectweb.asm.Label;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** The body of the method that writes the values of one type, null included. Its parameters are the value and the writer. */
record TypeMethod(TypeMethods methods, Shape shape) implements Code {

    private static final Code VALUE = to -> to.loadArg(0);
    private static final Code WRITER = to -> to.loadArg(1);

    private static final Code NIL = Calls.of(FingerprintWriter.class, "nil");
    private static final Code BEGIN = Calls.of(FingerprintWriter.class, "begin");
    private static final Code END = Calls.of(FingerprintWriter.class, "end");
    private static final Code SUBTYPE = Calls.of(FingerprintWriter.class, "subtype", String.class);
    private static final Code UNKNOWN = Calls.of(FingerprintWriter.class, "unknownSubtype", Object.class, String.class);
    private static final Code JSON = Calls.of(JsonForm.class, "write", Object.class, FingerprintWriter.class);
    private static final Code EXACT = Calls.of(ExactClass.class, "of", Object.class, Class.class);
    private static final Code ADD = Calls.of(Collection.class, "add", Object.class);

    @Override
    public void write(GeneratorAdapter to) {
        Label none = to.newLabel();
        Label end = to.newLabel();
        to.loadArg(0);
        to.ifNull(none);
        if (shape instanceof Shape.Maybe maybe) {
            to.loadArg(0);
            TypeMethods.isPresent(maybe, to);
            to.ifZCmp(GeneratorAdapter.EQ, none);
        }
        present(end, to);
        to.goTo(end);
        to.mark(none);
        WRITER.then(NIL).write(to);
        to.mark(end);
    }

    private void present(Label end, GeneratorAdapter to) {
        if (shape instanceof Shape.Structure structure) {
            exactly(structure.type(), to);
            WRITER.then(BEGIN).write(to);
            structure.properties().forEach(each -> methods.property(each, VALUE, WRITER, to));
            WRITER.then(END).write(to);
        } else if (shape instanceof Shape.OneOf oneOf) {
            alternatives(oneOf, end, to);
        } else if (shape instanceof Shape.Json json) {
            methods.json(json, to);
            VALUE.then(WRITER).then(JSON).write(to);
        } else if (shape instanceof Shape.Elements elements && TypeMethods.isPrimitives(elements)) {
            primitives(elements, to);
        } else {
            Type type = shape.type().erasedType();
            WRITER.then(VALUE).write(to);
            Casts.cast(Casts.boxed(type), type, to);
            methods.value(shape, to);
        }
    }

    /** Goes on with what a proxy stands for, and with no value of a subclass. */
    private static void exactly(BoundType type, GeneratorAdapter to) {
        if (!type.element().isFinal()) {
            VALUE.write(to);
            to.push(type.erasedType());
            EXACT.write(to);
            to.checkCast(type.erasedType());
            to.storeArg(0);
        }
    }

    private void alternatives(Shape.OneOf oneOf, Label end, GeneratorAdapter to) {
        for (Shape.Alternative alternative : oneOf.alternatives()) {
            Label next = to.newLabel();
            Type type = alternative.shape().type().erasedType();
            to.loadArg(0);
            to.instanceOf(type);
            to.ifZCmp(GeneratorAdapter.EQ, next);
            to.loadArg(1);
            to.push(alternative.name());
            SUBTYPE.write(to);
            WRITER.then(VALUE).write(to);
            to.checkCast(type);
            methods.value(alternative.shape(), to);
            to.goTo(end);
            to.mark(next);
        }
        WRITER.then(VALUE).write(to);
        to.push(oneOf.type().erasure());
        UNKNOWN.write(to);
    }

    private void primitives(Shape.Elements elements, GeneratorAdapter to) {
        Type element = elements.element().type().erasedType();
        Type list = Type.getType(ArrayList.class);
        int boxed = to.newLocal(list);
        int index = to.newLocal(Type.INT_TYPE);
        to.newInstance(list);
        to.dup();
        to.invokeConstructor(list, Method.getMethod("void <init> ()"));
        to.storeLocal(boxed);
        to.push(0);
        to.storeLocal(index);
        Label next = to.mark();
        Label end = to.newLabel();
        to.loadLocal(index);
        to.loadArg(0);
        to.arrayLength();
        to.ifICmp(GeneratorAdapter.GE, end);
        to.loadLocal(boxed);
        to.loadArg(0);
        to.loadLocal(index);
        to.arrayLoad(element);
        to.valueOf(element);
        ADD.write(to);
        to.pop();
        to.iinc(index, 1);
        to.goTo(next);
        to.mark(end);
        to.loadArg(1);
        to.loadLocal(boxed);
        methods.elements(elements, to);
    }
}
