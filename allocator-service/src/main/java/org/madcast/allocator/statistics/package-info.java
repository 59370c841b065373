/**
 * What the ranks report about their broadcasts, and the page of a communicator, which shows most of
 * it.
 */
@NullMarked
package org.madcast.allocator.statistics;

import org.jspecify.annotations.NullMarked;
