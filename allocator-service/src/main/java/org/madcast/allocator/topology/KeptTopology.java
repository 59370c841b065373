package org.madcast.allocator.topology;

import java.time.Instant;

/**
 * A tree that is kept here, without the tree itself. A snapshot.
 *
 * @param name what it is called
 * @param switches how many there are
 * @param hosts how many there are
 * @param madeAt when it was put
 * @param madeBy by whom
 */
public record KeptTopology(String name, int switches, int hosts, Instant madeAt, String madeBy) {}
