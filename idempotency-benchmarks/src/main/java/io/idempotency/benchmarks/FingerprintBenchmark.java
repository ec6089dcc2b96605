package io.idempotency.benchmarks;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.codec.Fingerprints;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The generated fingerprint of a nested order, against hashes of its JSON. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class FingerprintBenchmark {

    private ApplicationContext context;
    private OperationDefinition definition;
    private Fingerprints fingerprints;
    private JsonMapper json;
    private Object[] arguments;

    /** Starts an application for its beans. */
    @Setup
    public void start() {
        context = ApplicationContext.run(Map.of("idempotency.store", "memory"));
        fingerprints = context.getBean(Fingerprints.class);
        json = context.getBean(JsonMapper.class);
        arguments = new Object[] {Order.sample()};
        definition = definition(context);
    }

    /** Of the call that takes an order, off its method. */
    static OperationDefinition definition(BeanContext context) {
        return (OperationDefinition) context.getBeanDefinition(Calls.class)
                .getRequiredMethod("takeOrder", Order.class)
                .findAnnotation(IdempotentAdvice.class)
                .flatMap(advice -> advice.annotationClassValue("definition"))
                .flatMap(AnnotationClassValue::getInstance)
                .orElseThrow();
    }

    /** Stops the application. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** Generated code, SHA-256: what a call does. */
    @Benchmark
    public String generated() {
        return fingerprints.of(definition, arguments).text();
    }

    /** The same order by the JSON that the run time writes for arguments of open types, SHA-256. */
    @Benchmark
    public String openType() {
        return fingerprints.ofJson("take-order", arguments[0]).text();
    }

    /** Generated code without the digest. */
    @Benchmark
    public byte[] generatedUndigested() {
        FingerprintWriter writer = new FingerprintWriter();
        definition.fingerprint(arguments, writer);
        return writer.toByteArray();
    }

    /** The key alone. */
    @Benchmark
    public String key() {
        return String.valueOf(definition.key(arguments));
    }

    /** JSON with its members in order, as a hash of equal maps and sets needs it, SHA-256. */
    @Benchmark
    public String canonicalJsonSha256() throws IOException, NoSuchAlgorithmException {
        return hex("SHA-256", json.writeValueAsBytes(sorted(json.writeValueToTree(arguments[0]))));
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            Map<String, JsonNode> members = new TreeMap<>();
            node.entries().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
            return JsonNode.createObjectNode(members);
        }
        if (node.isArray()) {
            List<JsonNode> elements = new ArrayList<>(node.size());
            node.values().forEach(element -> elements.add(sorted(element)));
            return JsonNode.createArrayNode(elements);
        }
        return node;
    }

    /** JSON as the mapper writes it (not even canonical), SHA-256. */
    @Benchmark
    public String jsonSha256() throws IOException, NoSuchAlgorithmException {
        return hex("SHA-256", json.writeValueAsBytes(arguments[0]));
    }

    /** JSON as the mapper writes it, MD5. */
    @Benchmark
    public String jsonMd5() throws IOException, NoSuchAlgorithmException {
        return hex("MD5", json.writeValueAsBytes(arguments[0]));
    }

    private static String hex(String algorithm, byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    }
}
