package io.idempotency.benchmarks.peers;

import com.trendyol.jdempotent.redis.RedisConfigProperties;
import com.trendyol.jdempotent.redis.RedisIdempotentRepository;
import io.idempotency.benchmarks.Charges.Charge;
import io.idempotency.benchmarks.Charges.Receipt;
import io.idempotency.benchmarks.Peers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.serializer.GenericJackson2JsonRedisSerializer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** All of them are libraries for Spring: each side is set up as its auto-configuration sets it up, on Lettuce's one connection. */
public final class SpringPeers implements Peers {

    private final List<LettuceConnectionFactory> connections = new ArrayList<>();

    @Override
    public Map<String, Call> redis(String host, int port, Function<Charge, Receipt> body) {
        Map<String, Call> calls = new LinkedHashMap<>();
        ArunStore arun = new ArunRedisStore(connection(host, port));
        calls.put("arun0009 3.1, anew", advised(body, new ArunAspect(arun))::charge);
        calls.put("arun0009 1.0.2, artifact's aspect", advised(body, ArunArtifact.aspect(arun))::chargeByArtifact);
        StringRedisTemplate strings = new StringRedisTemplate(connection(host, port));
        calls.put("adzubla, anew", new Adzubla(new AdzublaRedisStore(strings), body)::charge);
        calls.put("Jdempotent 1.1.0, artifact", advised(body, jdempotent(connection(host, port)))::chargeByJdempotent);
        return calls;
    }

    @Override
    public Map<String, Call> postgresql(DataSource pool, Function<Charge, Receipt> body) {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        JdbcTransactionManager transactions = new JdbcTransactionManager(pool);
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("arun0009 3.1, anew", advised(body, new ArunAspect(new ArunJdbcStore(jdbc)))::charge);
        calls.put("adzubla, anew", new Adzubla(new AdzublaJdbcStore(jdbc, transactions), body)::charge);
        Kholodilin kholodilin = new Kholodilin(pool, transactions, body);
        calls.put("KHolodilin 0.3, anew", kholodilin::insertFirst);
        calls.put("KHolodilin 0.3, looks first, anew", kholodilin::lookFirst);
        return calls;
    }

    /** As Spring does it at the start of an application. */
    private static SpringCharges advised(Function<Charge, Receipt> body, Object aspect) {
        AspectJProxyFactory proxies = new AspectJProxyFactory(new SpringCharges(body));
        proxies.addAspect(aspect);
        return proxies.getProxy();
    }

    private LettuceConnectionFactory connection(String host, int port) {
        LettuceConnectionFactory connection =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port));
        connections.add(connection);
        connection.afterPropertiesSet();
        connection.start();
        return connection;
    }

    /** Its own configuration knows Redis with Sentinel only; the template is as there. */
    @SuppressWarnings("removal") // the serializer that it names
    private static Object jdempotent(LettuceConnectionFactory connection) {
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(connection);
        template.setKeySerializer(RedisSerializer.string());
        template.setDefaultSerializer(new GenericJackson2JsonRedisSerializer());
        template.afterPropertiesSet();
        RedisConfigProperties properties = new RedisConfigProperties();
        properties.setExpirationTimeHour(24L);
        properties.setPersistReqRes(true); // its default, without which there are no replays
        return new com.trendyol.jdempotent.core.aspect.IdempotentAspect(
                new RedisIdempotentRepository(template, properties));
    }

    @Override
    public void close() {
        connections.forEach(LettuceConnectionFactory::destroy);
    }
}
