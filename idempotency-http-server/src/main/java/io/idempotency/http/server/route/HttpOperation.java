package io.idempotency.http.server.route;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import java.util.Set;

/** {@code idempotency.http.operations.<operation>.*}: what the answers of an annotated operation's routes mean. */
@EachProperty(HttpOperation.PREFIX)
final class HttpOperation {

    static final String PREFIX = "idempotency.http.operations";

    private final String name;
    private final AnswerRule.Written statuses;

    /**
     * As written.
     *
     * @param name the operation's name
     * @param noEffectStatus the statuses that say that nothing was done
     * @param unknownStatus the statuses that leave open what was done
     */
    @ConfigurationInject
    HttpOperation(@Parameter String name, @Nullable Set<Integer> noEffectStatus, @Nullable Set<Integer> unknownStatus) {
        this.name = name;
        this.statuses = new AnswerRule.Written(noEffectStatus, unknownStatus);
    }

    String name() {
        return name;
    }

    AnswerRule.Written statuses() {
        return statuses;
    }
}
