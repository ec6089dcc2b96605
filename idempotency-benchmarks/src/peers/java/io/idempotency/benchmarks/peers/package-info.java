/**
 * Other libraries, as sides of the benchmarks. Where the registry has an artifact that runs, it is the artifact; where it has none, the
 * work that the library's documentation and source say each call does, written anew on the framework that it uses. Where the
 * source leaves a choice, the one that is faster for the peer, and the comment says so.
 */
@NullMarked
package io.idempotency.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
