/**
 * Collective operations as schedules: what each rank sends, receives, copies and combines, in
 * rounds. Schedules are data, made by pure functions of (operation, size, rank, root, counts), so
 * that they can be proven without a network (Hoefler, "Principles for coordinated optimization",
 * part II, LibNBC).
 */
@NullMarked
package org.madcast.client.schedule;

import org.jspecify.annotations.NullMarked;
