@NullMarked
package org.madcast.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
