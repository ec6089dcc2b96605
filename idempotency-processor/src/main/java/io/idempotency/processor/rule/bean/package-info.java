/** The method and its class: calls of it are intercepted. */
@NullMarked
package io.idempotency.processor.rule.bean;

import org.jspecify.annotations.NullMarked;
