/**
 * What an application writes and catches: the annotations, the context a running body can ask, and the exceptions.
 *
 * <p>Nothing here may import the run time, a store or HTTP: this package is on the compile class path of every
 * application and library that uses the annotations.
 */
@NullMarked
package io.idempotency;

import org.jspecify.annotations.NullMarked;
