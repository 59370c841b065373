/**
 * How long broadcasts and other collective operations take, as formulas in the parameters of the
 * network (LogGP and its relatives: seeds 000, 001 and 004). Pure; times are nanoseconds.
 */
@NullMarked
package org.madcast.simulator.model;

import org.jspecify.annotations.NullMarked;
