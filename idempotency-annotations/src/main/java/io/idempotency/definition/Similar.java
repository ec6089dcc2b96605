package io.idempotency.definition;

import io.micronaut.core.annotation.Internal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
@Internal
public final class Similar {

    private Similar() {}

    /** A sentence that names the candidate that is nearly what was written; empty where none is. */
    public static String didYouMean(String written, Collection<String> candidates) {
        return nearest(written, candidates, Math.max(1, written.length() / 3))
                .map(candidate -> " Did you mean '" + candidate + "'?")
                .orElse("");
    }

    /** The candidate that differs in the fewest letters, and in no more than these. */
    public static Optional<String> nearest(String written, Collection<String> candidates, int atMost) {
        return candidates.stream()
                .filter(candidate -> !candidate.equals(written) && distance(written, candidate) <= atMost)
                .min(Comparator.comparingInt((String candidate) -> distance(written, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The number of letters to add, remove or replace, whatever their case. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
