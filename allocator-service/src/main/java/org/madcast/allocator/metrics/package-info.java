/** The service's metrics, fed by events of the features. */
@NullMarked
package org.madcast.allocator.metrics;

import org.jspecify.annotations.NullMarked;
