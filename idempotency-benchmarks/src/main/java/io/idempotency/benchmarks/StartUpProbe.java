package io.idempotency.benchmarks;

import io.micronaut.context.ApplicationContext;
import java.lang.management.ManagementFactory;

/** Starts an application, says what that took, and ends. Its class path decides what is started. */
public final class StartUpProbe {

    private StartUpProbe() {}

    /**
     * Starts.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        try (ApplicationContext application = ApplicationContext.run()) {
            long millis = System.currentTimeMillis()
                    - ManagementFactory.getRuntimeMXBean().getStartTime();
            System.gc();
            System.out.println("probe " + millis + " "
                    + application.getAllBeanDefinitions().size() + " "
                    + ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() + " "
                    + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024);
        }
    }
}
