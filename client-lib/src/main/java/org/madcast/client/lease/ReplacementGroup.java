package org.madcast.client.lease;

import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/**
 * A group for a communicator that has to leave the one it has.
 *
 * @param group the group
 * @param source who chose it
 */
public record ReplacementGroup(MulticastGroup group, GroupSource source) {}
