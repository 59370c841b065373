package org.madcast.allocator.scope;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** The scopes' pools and how full they are, as the first page shows them. */
@Component
public class Pools {

    private final ScopeCatalog scopes;
    private final Filling.Counter counter;

    Pools(ScopeCatalog scopes, Filling.Counter counter) {
        this.scopes = scopes;
        this.counter = counter;
    }

    /** A pool and how full it is. */
    public record Pool(
            Scope scope,
            String leased,
            String resting,
            String reserved,
            String free,
            String usedPercent,
            Widths widths) {}

    /** Of the parts of a pool's bar, in percent of it. */
    public record Widths(double leased, double resting, double reserved) {}

    /** All pools, and how many groups of them are leased and rest. */
    public record All(List<Pool> pools, long leased, long resting) {}

    /** All pools, and how full they are. */
    public All all() {
        List<Filling> fillings = counter.filling();
        Map<String, Filling> byScope =
                fillings.stream().collect(Collectors.toMap(Filling::scope, Function.identity()));
        return new All(
                scopes.all().stream().map(it -> pool(it, byScope.get(it.name()))).toList(),
                fillings.stream().mapToLong(Filling::leased).sum(),
                fillings.stream().mapToLong(Filling::quarantined).sum());
    }

    private static Pool pool(Scope scope, @Nullable Filling filling) {
        Filling filled = filling == null ? Filling.none(scope.name()) : filling;
        long leased = filled.leased();
        long resting = filled.quarantined();
        long reserved = filled.reserved();
        long capacity = scope.capacity();
        // a scope that was made smaller keeps its leases until they end
        double leasedPercent = Math.min(100, 100.0 * leased / capacity);
        double restingPercent = Math.min(100 - leasedPercent, 100.0 * resting / capacity);
        double reservedPercent =
                Math.min(100 - leasedPercent - restingPercent, 100.0 * reserved / capacity);
        return new Pool(
                scope,
                Show.count(leased),
                Show.count(resting),
                Show.count(reserved),
                Show.count(Math.max(0, capacity - leased - resting - reserved)),
                Show.percent(leasedPercent + restingPercent + reservedPercent),
                new Widths(
                        visible(leasedPercent), visible(restingPercent), visible(reservedPercent)));
    }

    /** One group of many thousands is to be seen, too. */
    private static double visible(double percent) {
        return percent == 0 ? 0 : Math.max(percent, 0.6);
    }
}
