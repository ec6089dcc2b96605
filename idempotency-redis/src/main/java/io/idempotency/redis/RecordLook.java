package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a record's key holds, by a plain {@code GET}, or one {@code MGET} for many callers: a script costs Redis three times as
 * much. Thread-safe.
 */
final class RecordLook {

    private static final byte[] NOTHING = new byte[0];

    private final RedisConnection link;
    private final Runnable unanswered;
    private final Function<String, CompletionStage<byte[]>> way;

    /** With the number of looks up to which each is sent by itself, negative for all of them. */
    RecordLook(RedisConnection link, int above, Runnable unanswered) {
        this.link = link;
        this.unanswered = unanswered;
        this.way = above < 0 ? this::one : new Lane<>(above, this::one, this::many)::send;
    }

    /** Empty where nothing is, and where Redis refuses: a script says better why. */
    CompletionStage<byte[]> at(String key) {
        CompletionStage<byte[]> found = way.apply(key);
        found.whenComplete((packed, failure) -> {
            if (failure != null && ScriptRunner.cause(failure) instanceof RedisCommandTimeoutException) {
                unanswered.run();
            }
        });
        return found;
    }

    private CompletionStage<byte[]> one(String key) {
        return unlessRefused(link.commands().get(key).thenApply(RecordLook::orNothing), NOTHING);
    }

    /** Refused together, each goes alone. */
    private CompletionStage<List<byte @Nullable []>> many(List<String> keys) {
        return unlessRefused(
                link.commands()
                        .mget(keys.toArray(String[]::new))
                        .thenApply(all -> all.stream()
                                .<byte @Nullable []>map(found -> found.getValueOrElse(NOTHING))
                                .toList()),
                Collections.nCopies(keys.size(), null));
    }

    private static byte[] orNothing(byte @Nullable [] packed) {
        return packed == null ? NOTHING : packed;
    }

    private static <T> CompletionStage<T> unlessRefused(CompletionStage<T> asked, T refused) {
        return asked.exceptionallyCompose(
                failure -> ScriptRunner.cause(failure) instanceof RedisCommandExecutionException
                        ? CompletableFuture.completedFuture(refused)
                        : CompletableFuture.failedFuture(failure));
    }
}
