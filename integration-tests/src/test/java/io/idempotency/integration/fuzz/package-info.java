/**
 * Bad input from outside, made by a fuzzer that watches which code it reaches: {@code mvn -Pfuzz verify}. Each class has one target,
 * because one process fuzzes one.
 */
package io.idempotency.integration.fuzz;
