/** A process that is stopped (SIGSTOP) at a chosen step of a call, for longer than its lease, while another node goes on. */
@NullMarked
package io.idempotency.integration.paused;

import org.jspecify.annotations.NullMarked;
