package io.idempotency.processor.source;

import io.idempotency.processor.model.OperationMethod;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of generated classes: {@code $Payments$Operations} for a bean's class, and in it {@code _charge} for a method.
 * Two methods never get the same one, not even where file names differ in case only: one of them would be bound to the
 * other's definition. The underscore in front keeps a method {@code List()} or {@code com()} from hiding what has that name.
 *
 * <p>An underscore before a digit is an escape ({@code _1} an underscore, {@code _2} a dollar); no Java name begins with a
 * digit, so any other one separates a class from what is within it.
 */
final class DefinitionName {

    private static final int HASH_DIGITS = 16;

    private DefinitionName() {}

    /** The class with the definitions of a bean's class. */
    static String of(ClassElement owner) {
        String qualified = owner.getName();
        String nested = qualified
                .substring(qualified.lastIndexOf('.') + 1)
                .replace("_", "_1")
                .replaceAll("\\$(?=\\P{Nd})", "_") // a class within another one
                .replace("$", "_2");
        return "$" + nested + "$Operations";
    }

    /** The class of one method in it. */
    static String of(OperationMethod method) {
        String name = method.method().getName();
        String suffix = isAlone(method.owner(), name) ? "" : "_0" + hash(method.signature());
        return "_" + name.replace("_", "_1").replace("$", "_2") + suffix;
    }

    /** An overload, and a name that differs in case only, is told apart by a hash. */
    private static boolean isAlone(ClassElement owner, String name) {
        return owner.getEnclosedElements(ElementQuery.ALL_METHODS.named(name::equalsIgnoreCase))
                        .size()
                <= 1;
    }

    /** Of more than 32 bits: two overloads with equal ones are easily written. */
    private static String hash(String signature) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(signature.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }
}
