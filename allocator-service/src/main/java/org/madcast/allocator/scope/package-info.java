/**
 * Pools of multicast groups: which addresses and ports exist, and in which order they are tried.
 */
@NullMarked
package org.madcast.allocator.scope;

import org.jspecify.annotations.NullMarked;
