/** Makes HTML of docs/. Nothing of the library is used here. */
package io.idempotency.site;
