package org.madcast.allocator.statistics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.madcast.allocator.statistics.IntervalStore.Row;
import org.madcast.allocator.statistics.IntervalStore.Slot;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Adds raw rows to the minutes, hours and totals, passes them to the tuner, and deletes what is too
 * old. One replica at a time rolls up; a raw row is marked in the transaction that adds it, so it
 * counts once even if a replica dies meanwhile.
 */
@Component
class Rollup {

    /** What is summed at a time, all in memory: a few communicators with all of their rows. */
    private static final int COMMUNICATORS = 100;

    private static final int BATCH = 400;
    private static final int FORGET_BATCH = 5_000;

    private final IntervalStore store;
    private final RootDelays delays;
    private final RetryingTransaction transaction;
    private final ApplicationEventPublisher events;

    Rollup(
            IntervalStore store,
            RootDelays delays,
            RetryingTransaction transaction,
            ApplicationEventPublisher events) {
        this.store = store;
        this.delays = delays;
        this.transaction = transaction;
        this.events = events;
    }

    /** One round. */
    @Scheduled(fixedDelayString = "${madcast.statistics.rollup-interval:10s}")
    void roll() {
        Round round;
        do {
            round = transaction.call(this::rollBatch);
            if (round.rows() > 0) {
                events.publishEvent(new ReportEvent.Rolled(round.sums()));
            }
        } while (round.communicators() == COMMUNICATORS || round.rows() == BATCH);
    }

    /** One round of forgetting. */
    @Scheduled(fixedDelayString = "${madcast.statistics.forget-interval:30s}")
    void forget() {
        for (Level level : Level.values()) {
            int gone;
            do {
                gone = store.forget(level, level.retention(), FORGET_BATCH);
            } while (gone == FORGET_BATCH);
        }
    }

    private record Round(int rows, int communicators, List<IntervalSums> sums) {}

    private Round rollBatch() {
        List<Row> rows = store.claimRollup() ? store.claimRaw(COMMUNICATORS, BATCH) : List.of();
        if (rows.isEmpty()) {
            return new Round(0, 0, List.of());
        }
        store.merge(Level.MINUTE, sums(rows, ChronoUnit.MINUTES));
        store.merge(Level.HOUR, sums(rows, ChronoUnit.HOURS));
        Map<Slot, IntervalSums> totals = sums(rows, ChronoUnit.FOREVER);
        Map<UUID, IntervalSums> lately = new TreeMap<>();
        // Else a program that always invents new labels would have ever more sites to tune.
        store.merge(Level.TOTAL, totals)
                .forEach((slot, all) -> {
                    IntervalSums sums = totals.get(slot);
                    if (sums != null) {
                        lately.put(slot.communicator(), sums.toldApartBy(all));
                    }
                });
        delays.observe(lately);
        return new Round(rows.size(), totals.size(), List.copyOf(lately.values()));
    }

    private static Map<Slot, IntervalSums> sums(List<Row> rows, ChronoUnit unit) {
        Map<Slot, IntervalSums> sums = new HashMap<>();
        for (Row row : rows) {
            Instant at = unit == ChronoUnit.FOREVER ? Instant.EPOCH : row.at().truncatedTo(unit);
            sums.computeIfAbsent(new Slot(row.communicator(), at), it -> new IntervalSums())
                    .add(row.sums());
        }
        return sums;
    }
}
