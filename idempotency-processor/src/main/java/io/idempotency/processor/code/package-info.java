/** Pieces of byte code, which plans hold and the generator puts together. They know no plan. */
@NullMarked
package io.idempotency.processor.code;

import org.jspecify.annotations.NullMarked;
