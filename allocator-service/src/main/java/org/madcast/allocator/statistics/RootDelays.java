package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.tuning.Observation;
import org.madcast.allocator.tuning.RootDelayTuner;
import org.madcast.allocator.tuning.TunerState;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/**
 * The delay that each site's root is advised: updated by the rollup, read at every report. The
 * states are in the database, so every replica advises the same, a few seconds late.
 */
@Component
class RootDelays {

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
        Cached cached = cache.get(communicator);
        if (!isFresh(cached)) {
            readAhead(List.of(communicator));
            cached = cache.get(communicator);
        }
        return cached == null ? read(communicator) : cached.advice();
    }

    /** Reads at once what will be asked for in a moment. From any thread. */
    void readAhead(Collection<UUID> communicators) {
        Set<UUID> stale = new TreeSet<>();
        for (UUID each : communicators) {
            if (!isFresh(cache.get(each))) {
                stale.add(each);
            }
        }
        if (stale.isEmpty()) {
            return;
        }
        if (cache.size() + stale.size() >= MOST_CACHED) {
            cache.clear();
        }
        long nowNs = System.nanoTime();
        Map<UUID, List<Advice>> found = readAll(stale);
        stale.forEach(it -> cache.put(it, new Cached(nowNs, found.getOrDefault(it, List.of()))));
    }

    private static boolean isFresh(@Nullable Cached cached) {
        return cached != null && System.nanoTime() - cached.readNs() < FRESH_NS;
    }

    List<Advice> read(UUID communicator) {
        return readAll(List.of(communicator)).getOrDefault(communicator, List.of());
    }

    private Map<UUID, List<Advice>> readAll(Collection<UUID> communicators) {
        Map<UUID, List<Advice>> found = new HashMap<>();
        jdbc.sql(
                        """
                        select communicator_id, site, advised_micros, reason from root_delay
                        where communicator_id = any(?) order by communicator_id, site
                        """)
                .param(communicators.toArray(UUID[]::new))
                .query(row -> {
                    found.computeIfAbsent(row.getObject(1, UUID.class), it -> new ArrayList<>())
                            .add(new Advice(row.getString(2), row.getInt(3), row.getString(4)));
                });
        return found;
    }

    private record Place(UUID communicator, String site) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int order = communicator.compareTo(other.communicator);
            return order != 0 ? order : site.compareTo(other.site);
        }
    }

    /** Passes to the tuner what communicators' ranks saw. Joins the rollup's transaction. */
    void observe(Map<UUID, IntervalSums> seen) {
        Map<Place, SiteSums> parts = new TreeMap<>();
        seen.forEach((communicator, sums) ->
                sums.sites()
                        .forEach((key, site) ->
                                parts.computeIfAbsent(
                                                new Place(communicator, key.site()),
                                                it -> new SiteSums())
                                        .add(site)));
        Map<Place, TunerState> before = states(seen.keySet());
        Map<Place, TunerState> after = new TreeMap<>();
        parts.forEach((place, sums) -> {
            Observation observed = observation(sums);
            if (!observed.arrivals().isEmpty()) {
                TunerState old = before.getOrDefault(place, TunerState.INITIAL);
                TunerState next = tuner.next(old, observed);
                if (!next.equals(old)) {
                    after.put(place, next);
                }
            }
        });
        if (!after.isEmpty()) {
            keep(after);
        }
    }

    private Map<Place, TunerState> states(Collection<UUID> communicators) {
        Map<Place, TunerState> states = new HashMap<>();
        jdbc.sql(
                        "select communicator_id, site, state from root_delay where communicator_id = any(?)")
                .param(communicators.toArray(UUID[]::new))
                .query(row -> {
                    states.put(
                            new Place(row.getObject(1, UUID.class), row.getString(2)),
                            json.readValue(row.getString(3), TunerState.class));
                });
        return states;
    }

    private void keep(Map<Place, TunerState> states) {
        Collection<TunerState> values = states.values();
        jdbc.sql(
                        """
                        insert into root_delay (communicator_id, site, advised_micros, reason, state)
                        select k.c, k.site, k.micros, k.reason, k.state::json
                        from unnest(:communicators::uuid[], :sites::text[], :micros::int[],
                            :reasons::text[], :states::text[]) as k(c, site, micros, reason, state)
                        join communicator on communicator.id = k.c
                        on conflict (communicator_id, site) do update set
                            advised_micros = excluded.advised_micros, reason = excluded.reason,
                            state = excluded.state, updated_at = now()
                        """)
                .param("communicators", places(states, Place::communicator).toArray(UUID[]::new))
                .param("sites", places(states, Place::site).toArray(String[]::new))
                .param("micros", values.stream().map(RootDelays::micros).toArray(Integer[]::new))
                .param("reasons", values.stream().map(TunerState::reason).toArray(String[]::new))
                .param(
                        "states",
                        values.stream().map(json::writeValueAsString).toArray(String[]::new))
                .update();
    }

    private static <T> List<T> places(Map<Place, TunerState> states, Function<Place, T> value) {
        return states.keySet().stream().map(value).toList();
    }

    private static int micros(TunerState state) {
        return (int) TimeUnit.NANOSECONDS.toMicros(state.delayNs());
    }

    private static Observation observation(SiteSums all) {
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
                                sign * Math.max(1, Buckets.upperNs(bucket)),
                                Math.min(many, Counters.MOST))));
    }
}
