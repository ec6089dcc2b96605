package io.idempotency.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** JMH with its profiler for allocation: calls on the memory store. */
final class JmhPart {

    private JmhPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(InterceptionBenchmark.class.getSimpleName())
                        .addProfiler(GCProfiler.class)
                        .measurementIterations(settings.rounds())
                        .build())
                .run();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
            rows.add(Table.row(
                    "benchmark", name.substring(name.lastIndexOf('.') + 1),
                    "ns", result.getPrimaryResult().getScore(),
                    "error ns", result.getPrimaryResult().getScoreError(),
                    "allocated bytes", bytes == null ? Double.NaN : bytes.getScore()));
        }
        return List.of(new Table(
                "memory",
                "Calls on the memory store",
                "Nanoseconds and allocated bytes per call, by JMH on one thread. An Order has twelve fields.",
                rows));
    }
}
