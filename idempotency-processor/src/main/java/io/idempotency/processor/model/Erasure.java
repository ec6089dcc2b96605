package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.Locale;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import org.objectweb.asm.Type;

/**
 * The types that members have in class files. Micronaut's model says what a type variable stands for where a member is
 * inherited; the class file has its bound.
 */
final class Erasure {

    private Erasure() {}

    /** What a method returns. */
    static Type of(MethodElement method) {
        return method.getNativeType() instanceof JavaNativeElement.Method source
                ? of(source.element().getReturnType())
                : of(method.getReturnType());
    }

    /** What a field holds. */
    static Type of(FieldElement field) {
        return field.getNativeType() instanceof JavaNativeElement.Variable source
                ? of(source.element().asType())
                : of(field.getType());
    }

    /** A class, a primitive type or an array. */
    static Type of(ClassElement type) {
        if (type.isArray()) {
            return array(of(type.fromArray()));
        }
        return type.isPrimitive() ? primitive(type.getName()) : object(type.getName());
    }

    /** An array of a type. */
    static Type array(Type component) {
        return Type.getType("[" + component.getDescriptor());
    }

    private static Type of(TypeMirror type) {
        return switch (type.getKind()) {
            case ARRAY -> array(of(((ArrayType) type).getComponentType()));
            case TYPEVAR -> of(((TypeVariable) type).getUpperBound());
            case INTERSECTION -> of(((IntersectionType) type).getBounds().get(0));
            case DECLARED, ERROR -> object(binaryName((TypeElement) ((DeclaredType) type).asElement()));
            default -> primitive(type.getKind().name().toLowerCase(Locale.ROOT));
        };
    }

    private static String binaryName(TypeElement type) {
        return type.getEnclosingElement() instanceof TypeElement outer
                ? binaryName(outer) + "$" + type.getSimpleName()
                : type.getQualifiedName().toString();
    }

    private static Type object(String binaryName) {
        return Type.getObjectType(binaryName.replace('.', '/'));
    }

    private static Type primitive(String name) {
        return switch (name) {
            case "boolean" -> Type.BOOLEAN_TYPE;
            case "byte" -> Type.BYTE_TYPE;
            case "short" -> Type.SHORT_TYPE;
            case "int" -> Type.INT_TYPE;
            case "long" -> Type.LONG_TYPE;
            case "char" -> Type.CHAR_TYPE;
            case "float" -> Type.FLOAT_TYPE;
            case "double" -> Type.DOUBLE_TYPE;
            case "void" -> Type.VOID_TYPE;
            default -> throw new IllegalArgumentException("No primitive type: " + name);
        };
    }
}
