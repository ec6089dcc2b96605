package io.idempotency.test;

import java.util.List;

/**
 * What calls that were made at the same moment returned or threw, in no particular order.
 *
 * @param returned one for each call that did not throw; a call that returned null is left out
 * @param thrown one for each call that threw
 * @param <T> what a call returns
 */
public record Duplicates<T>(List<T> returned, List<Throwable> thrown) {}
