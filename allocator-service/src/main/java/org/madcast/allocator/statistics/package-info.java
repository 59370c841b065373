/** What the ranks report about their broadcasts. */
@NullMarked
package org.madcast.allocator.statistics;

import org.jspecify.annotations.NullMarked;
