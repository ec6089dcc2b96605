/** What a rule is, and where it reports. The rules themselves are in a package for each subject. */
@NullMarked
package io.idempotency.processor.rule;

import org.jspecify.annotations.NullMarked;
