/** Measurements as pages: what {@code benchmarks/report} runs. Needs nothing but the JDK. */
@NullMarked
package org.madcast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
