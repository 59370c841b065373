/**
 * Jobs whose ranks are the engines that ship, on the simulated network: what {@code madcast
 * simulate} runs. Times are virtual nanoseconds; everything belongs to one thread, and the same
 * seed gives the same result.
 */
@NullMarked
package org.madcast.simulator;

import org.jspecify.annotations.NullMarked;
