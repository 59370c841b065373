/** Side-by-side runs: other systems measured as {@code madcast bench} measures Madcast. */
@NullMarked
package org.madcast.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
