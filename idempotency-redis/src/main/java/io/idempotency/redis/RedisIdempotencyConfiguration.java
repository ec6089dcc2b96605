package io.idempotency.redis;

import io.idempotency.runtime.Within;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Optional;

/** The settings of the Redis store; where Redis is, and how to log in, stays under {@code redis.*}. */
@ConfigurationProperties(RedisIdempotencyConfiguration.PREFIX)
public interface RedisIdempotencyConfiguration {

    String PREFIX = "idempotency.redis";

    /** The server with the records: a name under {@code redis.servers}; left out, the one of {@code redis.*}. */
    Optional<String> getServer();

    /** Stands before a record's id in its key. Applications that must not see each other's records differ here. */
    @Bindable(defaultValue = "idempotency:")
    String getKeyPrefix();

    /**
     * How long one command may take. Afterwards its caller is told that the store did not answer, and a claim that
     * Redis reads later than that is not made.
     */
    @Bindable(defaultValue = "2s")
    @Within(min = "1ms")
    Duration getCommandTimeout();

    /** How long opening a connection may take, with its handshake. */
    @Bindable(defaultValue = "5s")
    @Within(min = "1ms")
    Duration getConnectTimeout();

    /**
     * How much of the records must survive a stop of the server. On less the application does not start, and claims
     * nothing. Left out, it warns of little; {@code none} does not.
     */
    Optional<DurabilityLevel> getRequiredDurability();

    /**
     * How often the servers are asked for their durability again, besides after every reconnect. Once they do less than
     * is required, new claims are refused until they do it again.
     */
    @Bindable(defaultValue = "30s")
    @Within(min = "1ms")
    Duration getDurabilityCheckInterval();

    /** What the operator knows of a server that does not permit CONFIG. It has no effect where CONFIG can be read. */
    Optional<DurabilityLevel> getAssumeDurability();

    /**
     * How many replicas must have received a change, other than a release. One that they did not receive in time fails,
     * though the master has it; a claim runs no body.
     */
    @Bindable(defaultValue = "0")
    @Within(min = "0")
    int getReplicaAcknowledgements();

    /** How long the replicas have for it; it must be shorter than the command time-out. */
    @Bindable(defaultValue = "500ms")
    @Within(min = "1ms")
    Duration getReplicaAcknowledgementTimeout();

    /**
     * Whether callers that wait for a duplicate of another node subscribe to what Redis publishes, on one connection
     * for all of them. Without it they poll.
     */
    @Bindable(defaultValue = "true")
    boolean isNotifications();
}
