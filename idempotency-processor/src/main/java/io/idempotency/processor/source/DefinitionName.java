package io.idempotency.processor.source;

import io.idempotency.processor.model.OperationMethod;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names generated classes: {@code $Payments$Operations} for a bean's class, and in it {@code _charge} for a method.
 * Names are unique even where file names ignore case, so that no method is bound to another's definition. The first
 * underscore keeps a method {@code List()} from hiding that type. Before a digit it is an escape ({@code _1} an
 * underscore, {@code _2} a dollar); elsewhere it separates a class from a nested one.
 */
final class DefinitionName {

    private DefinitionName() {}

    /** Returns the name of the class around the definitions of a bean's class. */
    static String of(ClassElement owner) {
        String qualified = owner.getName();
        String nested = qualified
                .substring(qualified.lastIndexOf('.') + 1)
                .replace("_", "_1")
                .replaceAll("\\$(?=\\P{Nd})", "_") // a nested class
                .replace("$", "_2");
        return "$" + nested + "$Operations";
    }

    /** Returns the name of the definition's class for one method. */
    static String of(OperationMethod method) {
        String name = method.method().getName();
        String suffix = isAlone(method.owner(), name) ? "" : "_0" + hash(method.signature());
        return "_" + name.replace("_", "_1").replace("$", "_2") + suffix;
    }

    /** Tells whether no other method has this name, in any case; otherwise a hash distinguishes them. */
    private static boolean isAlone(ClassElement owner, String name) {
        return owner.getEnclosedElements(ElementQuery.ALL_METHODS.named(name::equalsIgnoreCase))
                        .size()
                <= 1;
    }

    /** Returns a hash of 64 bits, since it is easy to write two overloads with equal hashes of 32 bits. */
    private static String hash(String signature) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(signature.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }
}
