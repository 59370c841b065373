package org.madcast.allocator.dashboard;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.stereotype.Component;

/** The scopes' pools and how full they are, as the first page shows them. */
@Component
class Pools {

    private final ScopeCatalog scopes;
    private final Filling.Counter counter;

    Pools(ScopeCatalog scopes, Filling.Counter counter) {
        this.scopes = scopes;
        this.counter = counter;
    }

    /** All pools, and how many groups of them are leased and rest. */
    record All(List<OverviewPage.Pool> pools, long leased, long resting) {}

    All all() {
        List<Filling> fillings = counter.filling();
        Map<String, Filling> byScope =
                fillings.stream().collect(Collectors.toMap(Filling::scope, Function.identity()));
        return new All(
                scopes.all().stream()
                        .map(it -> OverviewPage.pool(it, byScope.get(it.name())))
                        .toList(),
                fillings.stream().mapToLong(Filling::leased).sum(),
                fillings.stream().mapToLong(Filling::quarantined).sum());
    }
}
