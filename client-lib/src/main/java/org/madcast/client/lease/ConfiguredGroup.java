package org.madcast.client.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/**
 * An introduction whose group the user configured: everything else is the other introduction's. Its
 * lease is kept, since the communicator at the service lives by it, but is not what this group
 * comes from, so losing it does no harm.
 */
record ConfiguredGroup(Introduction introduction, MulticastGroup group) implements Introduction {

    @Override
    public GroupSource groupSource() {
        return GroupSource.CONFIGURED;
    }

    @Override
    public @Nullable String scope() {
        return null;
    }

    @Override
    public @Nullable String leaseId() {
        return null;
    }

    @Override
    public @Nullable Instant leaseExpiresAt() {
        return null;
    }

    @Override
    public long token() {
        return introduction.token();
    }

    @Override
    public List<Member> meet(Member self, Duration timeout) {
        return introduction.meet(self, timeout);
    }

    @Override
    public Optional<ReportChannel> reports() {
        return introduction.reports();
    }

    @Override
    public void close() {
        introduction.close();
    }
}
