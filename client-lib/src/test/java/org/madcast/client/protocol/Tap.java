package org.madcast.client.protocol;

import java.util.EnumMap;
import java.util.Map;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Destination;
import org.madcast.netsim.Fault;
import org.madcast.netsim.Faults;

/**
 * Counts what the ranks of one simulation put on their uplinks, by type; as the first fault of a
 * plan it also sees what later ones drop, and itself drops nothing. For one simulation only.
 */
final class Tap {

    private final Map<DatagramType, long[]> toGroup = new EnumMap<>(DatagramType.class);
    private final Map<DatagramType, long[]> toOne = new EnumMap<>(DatagramType.class);

    Fault fault() {
        return Faults.drop(
                        (from, to, datagram, count) -> {
                            var counts = to == Destination.GROUP ? toGroup : toOne;
                            DatagramType type = DatagramLayout.type(datagram);
                            counts.computeIfAbsent(type, first -> new long[1])[0]++;
                            return false;
                        })
                .onUplink();
    }

    /** Sent to the group. */
    long multicast(DatagramType type) {
        return toGroup.getOrDefault(type, new long[1])[0];
    }

    /** Sent to one rank. */
    long unicast(DatagramType type) {
        return toOne.getOrDefault(type, new long[1])[0];
    }

    /** Whole transmissions of fragments after the first ones, by multicast and by unicast. */
    long repairs() {
        return multicast(DatagramType.GROUP_REPAIR) + unicast(DatagramType.REPAIR);
    }
}
