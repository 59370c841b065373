/** madcast bench: broadcasts timed in the lab, beside the floor of the bare network. */
@NullMarked
package org.madcast.measure.bench;

import org.jspecify.annotations.NullMarked;
