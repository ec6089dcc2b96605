/** The document that micronaut-openapi writes beside us. */
@org.jspecify.annotations.NullMarked
package io.idempotency.processor.openapi;
