package io.idempotency.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The processors' time that this process and the servers that it started have used: what else the machine does is not in it. */
final class Processors {

    private static final OperatingSystemMXBean JVM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Processors() {}

    /** How long the JVM's compiler has worked. */
    static long compilingNanos() {
        return TimeUnit.MILLISECONDS.toNanos(
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
    }

    static long nanos() {
        return JVM.getProcessCpuTime()
                + ProcessHandle.current()
                        .descendants()
                        .map(server -> server.info().totalCpuDuration().orElse(Duration.ZERO))
                        .mapToLong(Duration::toNanos)
                        .sum();
    }
}
