package org.madcast.client.lease;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/** A communicator of one rank, which meets no other. */
final class LocalRendezvous implements Rendezvous {

    private final MulticastGroup group;
    private final GroupSource source;
    private final long token = RandomGroups.drawToken();

    LocalRendezvous(@Nullable MulticastGroup configured) {
        this.source = configured == null ? GroupSource.RANDOM : GroupSource.CONFIGURED;
        this.group = configured == null ? RandomGroups.seeded().drawIpv4() : configured;
    }

    @Override
    public MulticastGroup group() {
        return group;
    }

    @Override
    public GroupSource groupSource() {
        return source;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        return List.of(self);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
