/** JMH benchmarks. Each compares sides within one run; the figures to quote are ratios. */
@NullMarked
package io.idempotency.benchmarks;

import org.jspecify.annotations.NullMarked;
