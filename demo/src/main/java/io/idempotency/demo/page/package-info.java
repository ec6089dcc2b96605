/** What only the page needs: to watch one payment live, and to kill the service in the middle of one. */
@NullMarked
package io.idempotency.demo.page;

import org.jspecify.annotations.NullMarked;
