package io.idempotency.processor.source;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.JsonApi;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.Shape;

/** The method that writes the values of one type, null included, since it also writes elements. */
final class TypeMethod {

    private final FingerprintMethods methods;

    TypeMethod(FingerprintMethods methods) {
        this.methods = methods;
    }

    void write(Shape shape, JavaText text) {
        String parameters = "(" + shape.type().boxedSourceName() + " value, FingerprintWriter writer)";
        text.lines("").open("private static void " + methods.name(shape) + parameters);
        String absent = shape instanceof Shape.Maybe maybe ? " || !value" + maybe.present() : "";
        text.open("if (value == null" + absent + ")")
                .lines("writer.nil();", "return;")
                .close();
        if (shape instanceof Shape.Structure structure) {
            structure(structure, text);
        } else if (shape instanceof Shape.OneOf oneOf) {
            alternatives(oneOf, text);
        } else if (shape instanceof Shape.Json json) {
            json(json, text);
        } else if (shape instanceof Shape.Elements elements && FingerprintMethods.isPrimitives(elements)) {
            primitives(elements, text);
        } else {
            text.lines(methods.statement(shape, "value"));
        }
        text.close();
    }

    private void structure(Shape.Structure structure, JavaText text) {
        text.lines("writer.begin();");
        structure.properties().forEach(each -> methods.property(each, "value.", text));
        text.lines("writer.end();");
    }

    private void alternatives(Shape.OneOf oneOf, JavaText text) {
        // of no declared type, since the compiler refuses to ask one about a subtype of other type arguments
        text.lines("Object any = value;");
        for (Shape.Alternative alternative : oneOf.alternatives()) {
            BoundType type = alternative.shape().type();
            text.open("if (any instanceof " + type.erasure() + ")");
            text.lines(
                    "writer.subtype(" + Literals.text(alternative.name()) + ");",
                    methods.statement(alternative.shape(), "((" + type.sourceName() + ") any)"),
                    "return;");
            text.close();
        }
        unexpected(
                "\"A \" + value.getClass().getName() + \" is none of the known subtypes of "
                        + oneOf.type().erasure() + " and cannot be fingerprinted. The body did not run. Add it to"
                        + " @JsonSubTypes, or compile the operation again.\"",
                text);
    }

    private void json(Shape.Json shape, JavaText text) {
        JsonApi api = shape.api();
        text.open("if (value.isNull())").lines("writer.nil();", "return;").close();
        branch("value." + api.isText(), "writer.text(value." + api.text() + ");", text);
        branch("value.isBoolean()", "writer.bool(value." + api.bool() + ");", text);
        branch("value.isNumber()", "writer.decimal(value." + api.number() + ");", text);
        branch("value.isArray()", "writer.list(value" + api.elements() + ", " + methods.reference(shape) + ");", text);
        text.open("if (!value.isObject())");
        unexpected(
                "\"A JSON node of \" + value.getClass().getName() + \" cannot be fingerprinted. The body did not"
                        + " run. Give it a text, number, truth value, array or object.\"",
                text);
        text.close();
        text.lines("java.util.Map<String, " + api.node() + "> fields = new java.util.TreeMap<>();");
        text.open("for (java.util.Map.Entry<String, " + api.node() + "> field : value." + api.entries() + ")")
                .open("if (!field.getValue().isNull())")
                .lines("fields.put(field.getKey(), field.getValue());")
                .close()
                .close();
        text.lines("writer.begin();")
                .open("for (java.util.Map.Entry<String, " + api.node() + "> field : fields.entrySet())");
        text.lines("writer.name(field.getKey());", methods.name(shape) + "(field.getValue(), writer);")
                .close();
        text.lines("writer.end();");
    }

    private static void branch(String condition, String statement, JavaText text) {
        text.open("if (" + condition + ")").lines(statement, "return;").close();
    }

    private static void unexpected(String message, JavaText text) {
        text.lines("throw new IllegalArgumentException(" + message + ");");
    }

    private void primitives(Shape.Elements elements, JavaText text) {
        BoundType element = elements.element().type();
        String list =
                "java.util.List<" + element.boxedSourceName() + "> boxed = new java.util.ArrayList<>(value.length);";
        text.lines(list)
                .open("for (" + element.sourceName() + " each : value)")
                .lines("boxed.add(each);")
                .close();
        text.lines("writer.list(boxed, " + methods.reference(elements.element()) + ");");
    }
}
