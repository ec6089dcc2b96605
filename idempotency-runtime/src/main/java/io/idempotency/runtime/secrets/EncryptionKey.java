package io.idempotency.runtime.secrets;

import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts by AES-256 in Galois/counter mode (NIST SP 800-38D) with a random nonce, under a key derived for each
 * record, so that no number of records wears this key out. Authenticates the record's id too, so bytes that were moved
 * to another record cannot be opened there. Thread-safe, and never shows its key.
 */
final class EncryptionKey {

    static final int ID_LENGTH = 4;

    private static final int KEY_LENGTH = 32;
    private static final int NONCE_LENGTH = 12;
    private static final int TAG_LENGTH = 16;
    private static final int HEAD = OutcomeKind.LENGTH + ID_LENGTH;
    private static final int TEXT = HEAD + NONCE_LENGTH; // where the encrypted text begins
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;
    private final byte[] id;

    private EncryptionKey(byte[] key) {
        this.key = new SecretKeySpec(key, KeyedDigest.HMAC);
        this.id = Arrays.copyOf(derived("key-id"), ID_LENGTH);
    }

    static EncryptionKey of(String property, String written) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(written.trim());
        } catch (IllegalArgumentException e) {
            bytes = new byte[0];
        }
        if (bytes.length != KEY_LENGTH) {
            throw new ConfigurationException(property + ": it is not " + KEY_LENGTH
                    + " bytes in Base64. Make a key with: openssl rand -base64 " + KEY_LENGTH);
        }
        return new EncryptionKey(bytes);
    }

    /** Returns the id, which is derived from the key, so that no two keys can be given the same id by mistake. */
    String id() {
        return HexFormat.of().formatHex(id);
    }

    /** Returns the id of the key that encrypted these bytes. */
    static String idIn(byte[] encrypted) throws IOException {
        if (encrypted.length < TEXT + TAG_LENGTH) {
            throw new IOException("its encrypted bytes are cut off");
        }
        return HexFormat.of().formatHex(encrypted, OutcomeKind.LENGTH, HEAD);
    }

    byte[] encrypted(RecordId record, byte[] bytes) {
        byte[] nonce = new byte[NONCE_LENGTH];
        RANDOM.nextBytes(nonce);
        byte[] encrypted = ByteBuffer.allocate(TEXT + bytes.length + TAG_LENGTH)
                .put(OutcomeKind.ENCRYPTED.mark())
                .put(id)
                .put(nonce)
                .array();
        try {
            cipher(Cipher.ENCRYPT_MODE, record, encrypted).doFinal(bytes, 0, bytes.length, encrypted, TEXT);
            return encrypted;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime cannot encrypt by AES/GCM", e);
        }
    }

    byte[] decrypted(RecordId record, byte[] encrypted) throws IOException {
        try {
            return cipher(Cipher.DECRYPT_MODE, record, encrypted).doFinal(encrypted, TEXT, encrypted.length - TEXT);
        } catch (GeneralSecurityException e) {
            throw new IOException("its encrypted bytes were changed, or are another record's", e);
        }
    }

    /** Returns the cipher of a record's bytes, whose head and nonce are written. */
    private Cipher cipher(int mode, RecordId record, byte[] encrypted) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        SecretKeySpec own = new SecretKeySpec(derived("record " + record.value()), "AES");
        cipher.init(mode, own, new GCMParameterSpec(TAG_LENGTH * Byte.SIZE, encrypted, HEAD, NONCE_LENGTH));
        cipher.updateAAD(encrypted, 0, HEAD);
        cipher.updateAAD(record.value().getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private byte[] derived(String purpose) {
        return KeyedDigest.hmac(key, purpose.getBytes(StandardCharsets.US_ASCII));
    }
}
