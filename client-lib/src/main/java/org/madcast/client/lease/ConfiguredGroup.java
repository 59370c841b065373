package org.madcast.client.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/**
 * A rendezvous whose group the user configured: everything else is the other rendezvous's. Its
 * lease is kept, since the communicator at the service lives by it, but is not what this group
 * comes from, so losing it does no harm.
 */
record ConfiguredGroup(Rendezvous rendezvous, MulticastGroup group) implements Rendezvous {

    @Override
    public GroupSource groupSource() {
        return GroupSource.CONFIGURED;
    }

    @Override
    public long token() {
        return rendezvous.token();
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        return rendezvous.meet(self, timeout);
    }

    @Override
    public boolean canMeetWithoutService() {
        return rendezvous.canMeetWithoutService();
    }

    @Override
    public Optional<ReportChannel> reports() {
        return rendezvous.reports();
    }

    @Override
    public void close() {
        rendezvous.close();
    }
}
