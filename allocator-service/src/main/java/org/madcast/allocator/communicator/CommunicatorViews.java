package org.madcast.allocator.communicator;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.CommunicatorBodies.LeaseView;
import org.madcast.allocator.communicator.CommunicatorBodies.MemberView;
import org.madcast.allocator.communicator.CommunicatorBodies.RankTopology;
import org.madcast.allocator.communicator.CommunicatorBodies.View;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.topology.Topologies;
import org.springframework.stereotype.Component;

/** Shows communicators with their leases in JSON. */
@Component
class CommunicatorViews {

    private final CommunicatorService communicators;
    private final ScopeCatalog scopes;
    private final Topologies topologies;

    CommunicatorViews(
            CommunicatorService communicators, ScopeCatalog scopes, Topologies topologies) {
        this.topologies = topologies;
        this.communicators = communicators;
        this.scopes = scopes;
    }

    View of(Communicator communicator, @Nullable List<MemberView> members) {
        Optional<LeaseView> lease =
                communicators.lease(communicator).map(it -> LeaseView.of(it, pool(it)));
        Optional<RankTopology> topology =
                members == null || !communicator.complete()
                        ? Optional.empty()
                        : topology(communicator);
        return View.of(communicator, lease.orElse(null), members, topology.orElse(null));
    }

    private Optional<RankTopology> topology(Communicator communicator) {
        return communicators
                .topology(communicator.id())
                .flatMap(topologies::get)
                .map(it ->
                        RankTopology.of(
                                it.getKey(),
                                it.getValue(),
                                communicators.hosts(communicator.id())));
    }

    private String pool(Lease lease) {
        return scopes.find(lease.scope()).map(Scope::pool).orElse(lease.scope());
    }
}
