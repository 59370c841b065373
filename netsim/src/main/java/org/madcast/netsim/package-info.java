/**
 * A deterministic discrete-event network: protocol engines, which are state machines over time and
 * bytes, run on virtual hosts, links and a multicast switch, under seeded faults. The same seed
 * gives the same run, event for event.
 *
 * <p>Times are virtual nanoseconds since the start of the simulation. Everything here belongs to
 * one thread; separate simulations share nothing and may run in parallel.
 */
@NullMarked
package org.madcast.netsim;

import org.jspecify.annotations.NullMarked;
