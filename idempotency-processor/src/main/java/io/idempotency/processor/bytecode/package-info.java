/** The class files of the generated definitions: the same in every compilation. */
@NullMarked
package io.idempotency.processor.bytecode;

import org.jspecify.annotations.NullMarked;
