/** Trees of switches that operators keep here for the ranks of jobs. */
@NullMarked
package org.madcast.allocator.topology;

import org.jspecify.annotations.NullMarked;
