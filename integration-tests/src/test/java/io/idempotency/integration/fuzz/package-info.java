/** Bad input from outside, to whole applications; each module sends its own to what it reads. */
package io.idempotency.integration.fuzz;
