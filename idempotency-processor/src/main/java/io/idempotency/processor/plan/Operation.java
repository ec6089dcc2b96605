package io.idempotency.processor.plan;

import io.idempotency.processor.model.OperationMethod;

/**
 * An operation and everything that was decided about it.
 *
 * @param method the method
 * @param key where its key comes from
 * @param fingerprint how its arguments are written
 * @param result what it returns
 */
public record Operation(OperationMethod method, KeyPlan key, FingerprintPlan fingerprint, ResultPlan result) {}
