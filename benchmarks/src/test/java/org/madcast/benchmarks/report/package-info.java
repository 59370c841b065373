@NullMarked
package org.madcast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
