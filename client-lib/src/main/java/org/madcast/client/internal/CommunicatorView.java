package org.madcast.client.internal;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;
import org.madcast.client.MulticastGroup;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.lease.Rendezvous;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.DurationHistogram;
import org.madcast.client.protocol.EngineCounters;
import org.madcast.client.protocol.GroupAddress;

/**
 * What a communicator tells of itself, read from its engine under the loop's lock. Any thread.
 *
 * @param joined how the communicator was when its ranks had met
 */
record CommunicatorView(
        BroadcastEngine engine,
        EngineLoop loop,
        Rendezvous rendezvous,
        CommunicatorInfo joined,
        int rank) {

    private static final int MANY_HOSTS = 3;

    /** Whether the ranks are on enough hosts for multicast to save sends. */
    static boolean onManyHosts(List<InetSocketAddress> members) {
        return members.stream().map(InetSocketAddress::getAddress).distinct().count() >= MANY_HOSTS;
    }

    /** Where the communicator is, as of now: its group may have moved. */
    CommunicatorInfo info() {
        GroupAddress moved = loop.read(engine::movedTo);
        return moved == null ? joined : movedInfo(moved);
    }

    private CommunicatorInfo movedInfo(GroupAddress moved) {
        InetAddress address;
        try {
            address = InetAddress.getByAddress(moved.address());
        } catch (UnknownHostException wrongLength) {
            throw new IllegalStateException("4 or 16 bytes are an address", wrongLength);
        }
        boolean holder = rank == 0;
        return new CommunicatorInfo(
                joined.jobId(),
                joined.name(),
                new MulticastGroup(address, moved.port()),
                OriginCode.source(moved.origin()),
                holder ? rendezvous.scope() : null,
                holder ? rendezvous.leaseId() : null,
                holder ? rendezvous.leaseExpiresAt() : null,
                joined.token(),
                joined.members(),
                joined.local());
    }

    /** What the engine has counted until now. */
    CommunicatorStatistics statistics() {
        return loop.read(this::snapshot);
    }

    private CommunicatorStatistics snapshot() {
        EngineCounters counters = engine.counters();
        Map<String, Long> rejected = new TreeMap<>();
        counters.rejected().forEach((reason, count) -> rejected.put(reason.label(), count));
        if (loop.refused() > 0) {
            rejected.put("unsealed", loop.refused());
        }
        return new CommunicatorStatistics(
                counters.broadcasts(),
                counters.messageBytes(),
                counters.datagramsSent(),
                counters.datagramsReceived(),
                counters.fragmentsUseful(),
                counters.fragmentsDuplicate(),
                engine.fragmentsLost(),
                counters.repairsSent(),
                counters.repairsReceived(),
                Map.copyOf(rejected),
                distribution(engine.repairTimes()),
                engine.repairRequestsSent(),
                counters.multicastSent(),
                counters.multicastReceived());
    }

    private static DurationDistribution distribution(DurationHistogram histogram) {
        Map<Long, Long> counts = new TreeMap<>();
        for (int bucket = 0; bucket < histogram.buckets(); bucket++) {
            if (histogram.count(bucket) > 0) {
                counts.put(histogram.edgeNs(bucket), histogram.count(bucket));
            }
        }
        return DurationDistribution.of(counts);
    }
}
