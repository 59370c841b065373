/** Tokens, their roles, and which role a request needs. */
@NullMarked
package org.madcast.allocator.access;

import org.jspecify.annotations.NullMarked;
