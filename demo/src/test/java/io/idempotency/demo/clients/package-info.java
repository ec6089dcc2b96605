/** Clients that nobody here wrote, against routes of both kinds, over a network that cuts answers. */
@NullMarked
package io.idempotency.demo.clients;

import org.jspecify.annotations.NullMarked;
