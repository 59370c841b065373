package org.madcast.allocator.statistics;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.MembershipService;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Takes reports in and gives them out. From any thread. */
@Service
public class StatisticsService {

    private final ReportStore store;
    private final MembershipService membership;
    private final RetryingTransaction transaction;
    private final ApplicationEventPublisher events;
    private final StatisticsProperties properties;

    StatisticsService(
            ReportStore store,
            MembershipService membership,
            RetryingTransaction transaction,
            ApplicationEventPublisher events,
            StatisticsProperties properties) {
        this.store = store;
        this.membership = membership;
        this.transaction = transaction;
        this.events = events;
        this.properties = properties;
    }

    /**
     * Keeps a report; one that came before changes nothing.
     *
     * @return the root delay that the rank is advised, nothing when it is no such member's report
     */
    public Optional<Duration> accept(Report report, @Nullable String memberSecret) {
        boolean member =
                membership.isMember(
                        report.communicator(), report.rank(), memberSecret, report.instance());
        if (!member) {
            return Optional.empty();
        }
        boolean fresh = transaction.call(() -> keep(report));
        events.publishEvent(new ReportEvent(!fresh));
        return Optional.of(properties.rootDelay());
    }

    /** The latest of each rank that reported, by rank. */
    public List<RankStatistics> ranks(UUID communicator) {
        return store.ranks(communicator);
    }

    /** The broadcasts of all ranks together, the small ones first. */
    public List<BroadcastSite> broadcasts(UUID communicator) {
        return store.sites(communicator);
    }

    private boolean keep(Report report) {
        if (!store.keep(report, Secrets.hash(report.instance().toString()))) {
            return false;
        }
        report.broadcasts().forEach(it -> store.add(report.communicator(), report.rank(), it));
        return true;
    }
}
