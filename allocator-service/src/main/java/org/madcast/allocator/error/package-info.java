/** What is told when a request fails: who asks, and the one place where each gets his answer. */
@NullMarked
package org.madcast.allocator.error;

import org.jspecify.annotations.NullMarked;
