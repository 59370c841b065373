package org.madcast.allocator.statistics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Takes reports in and gives them out. From any thread. */
@Service
public class StatisticsService {

    private static final Duration LONGEST_IN_RAW = Duration.ofMinutes(15);
    private static final Duration PRESENT = Duration.ofMinutes(1);
    private static final int MOST_SENDERS = 8;

    /** Seconds between two reports of a rank: shorter steps would have gaps. */
    private static final long REPORTS_EVERY = 5;

    /** Steps that people read easily, in seconds. */
    private static final long[] STEPS = {
        5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400
    };

    private static final Duration LONGEST_IN_MINUTES = Duration.ofHours(24);

    private final ReportIntake intake;
    private final ReportStore reports;
    private final IntervalStore intervals;
    private final RootDelays delays;
    private final KnownMembers members;
    private final SqlTime time;

    StatisticsService(
            ReportIntake intake,
            ReportStore reports,
            IntervalStore intervals,
            RootDelays delays,
            KnownMembers members,
            SqlTime time) {
        this.intake = intake;
        this.reports = reports;
        this.intervals = intervals;
        this.delays = delays;
        this.members = members;
        this.time = time;
    }

    /**
     * Keeps reports of the speaker's communicator; one that came before changes nothing. Returns
     * when all are on disk.
     *
     * @return the root delays that the ranks are advised, nothing when the speaker is no such
     *     member
     * @throws DataAccessException when they were not all written, and may be sent again
     */
    public Optional<List<RootDelays.Advice>> accept(Reporter speaker, List<Report> reports) {
        if (!members.isMember(speaker)) {
            return Optional.empty();
        }
        intake.write(reports);
        return Optional.of(delays.of(speaker.communicator()));
    }

    /** The latest of each rank that reported, by rank. */
    public List<RankStatistics> ranks(UUID communicator) {
        return reports.ranks(communicator);
    }

    /**
     * How a communicator fares since it was made.
     *
     * @param broadcasts that a rank completed, the most
     * @param lossPercent of all ranks together
     * @param worstRank the rank that lost the largest part
     * @param worstLossPercent what it lost
     */
    public record Glance(
            long broadcasts, double lossPercent, int worstRank, double worstLossPercent) {}

    /** How these communicators fare; those without a report are left out. */
    public Map<UUID, Glance> glances(Collection<UUID> communicators) {
        return reports.glances(communicators);
    }

    /** The foreign senders on a communicator's group, as its ranks saw them last. */
    public List<String> foreignSenders(UUID communicator) {
        return reports.foreignSenders(communicator, MOST_SENDERS);
    }

    /** The longest delay that each site's roots applied in the last minute, in microseconds. */
    public Map<String, Long> delaysInForce(UUID communicator) {
        Map<String, Long> delays = new TreeMap<>();
        for (IntervalStore.Row row :
                intervals.since(Level.RAW, communicator, time.now().minus(PRESENT))) {
            row.sums()
                    .sites()
                    .forEach((key, site) ->
                            delays.merge(key.site(), site.rootDelayMicros(), Math::max));
        }
        return delays;
    }

    /** What the sites' roots are advised. */
    public List<RootDelays.Advice> advice(UUID communicator) {
        return delays.read(communicator);
    }

    /** All that a communicator's ranks did since it was made, to the last report. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public IntervalSums total(UUID communicator) {
        IntervalSums total = new IntervalSums();
        intervals
                .since(Level.TOTAL, communicator, Instant.EPOCH)
                .forEach(it -> total.add(it.sums()));
        intervals.unrolled(communicator).forEach(it -> total.add(it.sums()));
        return total;
    }

    /** The same; nothing of a communicator that there never was, or that is forgotten. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public Optional<IntervalSums> find(UUID communicator) {
        IntervalSums total = total(communicator);
        return total.ranks().isEmpty() && !reports.hasCommunicator(communicator)
                ? Optional.empty()
                : Optional.of(total);
    }

    /**
     * Passes on what each communicator's ranks did in the minutes that began since then, one after
     * the other; {@code to} joins the transaction in which they are read.
     */
    @Transactional(readOnly = true)
    public void eachLately(Duration age, BiConsumer<UUID, IntervalSums> to) {
        Gathering gathering = new Gathering(to);
        intervals.eachMinute(age, gathering::add);
        gathering.end();
    }

    /** Sums rows that come communicator by communicator. */
    private static final class Gathering {

        private final BiConsumer<UUID, IntervalSums> to;
        private @Nullable UUID communicator;
        private IntervalSums sums = new IntervalSums();

        Gathering(BiConsumer<UUID, IntervalSums> to) {
            this.to = to;
        }

        void add(IntervalStore.Row row) {
            if (!row.communicator().equals(communicator)) {
                end();
                communicator = row.communicator();
                sums = new IntervalSums();
            }
            sums.add(row.sums());
        }

        void end() {
            if (communicator != null) {
                to.accept(communicator, sums);
            }
        }
    }

    /**
     * What a communicator's ranks did up to now.
     *
     * @param span how far back
     * @param steps into how many steps it is cut
     */
    public History history(UUID communicator, Duration span, int steps) {
        long stepSeconds = Math.max(1, span.toSeconds() / steps);
        long end = Math.floorDiv(time.now().getEpochSecond(), stepSeconds) + 1;
        Instant from = Instant.ofEpochSecond((end - steps) * stepSeconds);
        Level level = level(span, span);
        return history(communicator, level, from, stepSeconds, steps);
    }

    /**
     * What a communicator's ranks did from one time to another, as finely as it is still kept.
     *
     * @param most into how many steps it is cut at most
     */
    public History history(UUID communicator, Instant from, Instant to, int most) {
        long span = Math.max(1, Duration.between(from, to).toSeconds());
        Level level = level(Duration.ofSeconds(span), Duration.between(from, time.now()));
        long finest = level == Level.RAW ? REPORTS_EVERY : level.unit().getDuration().toSeconds();
        long stepSeconds = finest;
        for (int i = 0; stepSeconds * most < span; i++) {
            stepSeconds = Math.max(finest, i < STEPS.length ? STEPS[i] : stepSeconds * 2);
        }
        long first = Math.floorDiv(from.getEpochSecond(), stepSeconds);
        long end = Math.floorDiv(to.getEpochSecond(), stepSeconds) + 1;
        return history(
                communicator,
                level,
                Instant.ofEpochSecond(first * stepSeconds),
                stepSeconds,
                (int) (end - first));
    }

    /** The finest that is still kept, unless there would be too much of it. */
    private static Level level(Duration span, Duration age) {
        if (span.compareTo(LONGEST_IN_RAW) <= 0 && isKept(Level.RAW, age)) {
            return Level.RAW;
        }
        return span.compareTo(LONGEST_IN_MINUTES) <= 0 && isKept(Level.MINUTE, age)
                ? Level.MINUTE
                : Level.HOUR;
    }

    private static boolean isKept(Level level, Duration age) {
        return age.compareTo(level.retention()) < 0;
    }

    private History history(
            UUID communicator, Level level, Instant from, long stepSeconds, int steps) {
        List<IntervalSums> cells = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            cells.add(new IntervalSums());
        }
        List<IntervalStore.Row> rows = new ArrayList<>(intervals.since(level, communicator, from));
        if (level != Level.RAW) {
            rows.addAll(intervals.unrolled(communicator));
        }
        for (IntervalStore.Row row : rows) {
            long cell = Duration.between(from, row.at()).toSeconds() / stepSeconds;
            if (cell >= 0 && cell < steps) {
                cells.get((int) cell).add(row.sums());
            }
        }
        return new History(from, stepSeconds, cells);
    }
}
