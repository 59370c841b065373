package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.tuning.Observation;
import org.madcast.allocator.tuning.RootDelayTuner;
import org.madcast.allocator.tuning.TunerState;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/**
 * The delay that each site's root is advised: told by the rollup what happened, asked at every
 * report. The states are in the database, so every replica advises the same, a few seconds late.
 */
@Component
public class RootDelays {

    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_CACHED = 20_000;

    private final JdbcClient jdbc;
    private final ObjectMapper json;
    private final RootDelayTuner tuner;
    private final ConcurrentMap<UUID, Cached> cache = new ConcurrentHashMap<>();

    RootDelays(JdbcClient jdbc, ObjectMapper json, StatisticsProperties properties) {
        this.jdbc = jdbc;
        this.json = json;
        this.tuner = new RootDelayTuner(properties.longestRootDelay().toNanos());
    }

    /**
     * What a site is advised.
     *
     * @param site the size class and, behind a space, the label if there is one
     * @param micros the delay, in microseconds
     * @param reason why
     */
    public record Advice(String site, int micros, String reason) {}

    private record Cached(long readNs, List<Advice> advice) {}

    /** All sites of a communicator. From any thread. */
    public List<Advice> of(UUID communicator) {
        if (cache.size() >= MOST_CACHED) {
            cache.clear();
        }
        // the ranks of a communicator report at the same time: one of them reads, the others wait
        return cache.compute(communicator, this::fresh).advice();
    }

    private Cached fresh(UUID communicator, @Nullable Cached cached) {
        long nowNs = System.nanoTime();
        return cached != null && nowNs - cached.readNs() < FRESH_NS
                ? cached
                : new Cached(nowNs, read(communicator));
    }

    List<Advice> read(UUID communicator) {
        return jdbc.sql(
                        """
                        select site, advised_micros, reason from root_delay
                        where communicator_id = ? order by site
                        """)
                .param(communicator)
                .query((row, index) ->
                        new Advice(row.getString(1), row.getInt(2), row.getString(3)))
                .list();
    }

    /** Tells the tuner what a communicator's ranks saw. Joins the rollup's transaction. */
    void observe(UUID communicator, IntervalSums sums) {
        Map<String, List<SiteSums>> sites = new TreeMap<>();
        sums.sites()
                .forEach((key, site) ->
                        sites.computeIfAbsent(key.site(), it -> new ArrayList<>()).add(site));
        sites.forEach((site, parts) -> observe(communicator, site, observation(parts)));
    }

    private void observe(UUID communicator, String site, Observation seen) {
        if (seen.arrivals().isEmpty()) {
            return;
        }
        TunerState before =
                jdbc.sql("select state from root_delay where communicator_id = ? and site = ?")
                        .params(communicator, site)
                        .query(String.class)
                        .optional()
                        .map(it -> json.readValue(it, TunerState.class))
                        .orElse(TunerState.INITIAL);
        TunerState after = tuner.next(before, seen);
        if (after.equals(before)) {
            return;
        }
        jdbc.sql(
                        """
                        insert into root_delay (communicator_id, site, advised_micros, reason, state)
                        select id, :site, :micros, :reason, :state::json from communicator
                        where id = :communicator
                        on conflict (communicator_id, site) do update set
                            advised_micros = excluded.advised_micros, reason = excluded.reason,
                            state = excluded.state, updated_at = now()
                        """)
                .param("communicator", communicator)
                .param("site", site)
                .param("micros", (int) TimeUnit.NANOSECONDS.toMicros(after.delayNs()))
                .param("reason", after.reason())
                .param("state", json.writeValueAsString(after))
                .update();
    }

    private static Observation observation(List<SiteSums> parts) {
        SiteSums all = new SiteSums();
        parts.forEach(all::add);
        List<Observation.Arrival> arrivals = new ArrayList<>();
        addArrivals(arrivals, all.early(), -1);
        addArrivals(arrivals, all.late(), 1);
        return new Observation(
                arrivals, all.lostLateNs(), all.lostEarlyNs(), all.count(), all.sumNs());
    }

    private static void addArrivals(
            List<Observation.Arrival> into, SortedMap<Integer, Long> counts, int sign) {
        counts.forEach((bucket, many) ->
                into.add(
                        new Observation.Arrival(
                                sign * Math.max(1, Buckets.upperNs(bucket)), many)));
    }
}
