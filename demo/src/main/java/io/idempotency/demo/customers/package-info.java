/** Customers who ask for something: routes without an annotation, protected by configuration, and whose keys are whose. */
@NullMarked
package io.idempotency.demo.customers;

import org.jspecify.annotations.NullMarked;
