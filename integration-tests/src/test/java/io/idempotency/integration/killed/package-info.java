/** Nodes that are killed (SIGKILL) and stopped again and again while their callers call, and a server that is too. */
@NullMarked
package io.idempotency.integration.killed;

import org.jspecify.annotations.NullMarked;
