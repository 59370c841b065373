package org.madcast.allocator.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.LineChart;
import org.madcast.allocator.web.page.LineChart.Unit;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The important metrics of the last hour as lines: this replica reads its own registry every few
 * seconds and keeps the readings in memory. From any thread.
 */
@Component
@Lazy(false)
class MetricsPage {

    /** An hour of readings. */
    private static final int MOST = 360;

    private static final double BITS = 8;

    private final MeterRegistry registry;
    private final SqlTime time;
    private final Deque<Reading> readings = new ArrayDeque<>();

    MetricsPage(MeterRegistry registry, SqlTime time) {
        this.registry = registry;
        this.time = time;
    }

    /** What the registry had at a time of {@link System#nanoTime()}. */
    private record Reading(
            long nowNs, Leases leases, Ranks ranks, Requests requests, double processor) {}

    /** Counters of leases and MADCAP, and groups in use. */
    private record Leases(
            double granted,
            double renewed,
            double released,
            double refused,
            double madcap,
            double leased,
            double resting) {}

    /** Counters of what ranks reported. */
    private record Ranks(double reports, double bytes, double useful, double lost) {}

    /** Counters of HTTP requests, and the longest one of late. */
    private record Requests(double count, double seconds, double longest) {}

    /** Reads the registry. */
    @Scheduled(fixedDelayString = "${madcast.dashboard.metrics-interval:10s}")
    void read() {
        Reading reading =
                new Reading(
                        System.nanoTime(),
                        new Leases(
                                count("madcast.lease.grants"),
                                count("madcast.lease.renewals"),
                                count("madcast.lease.releases"),
                                count("madcast.lease.refusals"),
                                count("madcast.madcap.datagrams"),
                                gauge("madcast.groups", "leased"),
                                gauge("madcast.groups", "quarantined")),
                        new Ranks(
                                count("madcast.reports"),
                                count("madcast.rank.message.bytes"),
                                count("madcast.rank.fragments.useful"),
                                count("madcast.rank.fragments.lost")),
                        requests(),
                        100
                                * registry.find("process.cpu.usage").gauges().stream()
                                        .mapToDouble(Gauge::value)
                                        .sum());
        synchronized (readings) {
            readings.addLast(reading);
            if (readings.size() > MOST) {
                readings.removeFirst();
            }
        }
    }

    private double count(String name) {
        return registry.find(name).counters().stream().mapToDouble(Counter::count).sum();
    }

    private double gauge(String name, String state) {
        return registry.find(name).tag("state", state).gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private Requests requests() {
        double count = 0;
        double seconds = 0;
        double longest = 0;
        for (Timer timer : registry.find("http.server.requests").timers()) {
            count += timer.count();
            seconds += timer.totalTime(TimeUnit.SECONDS);
            longest = Math.max(longest, timer.max(TimeUnit.SECONDS));
        }
        return new Requests(count, seconds, longest);
    }

    /** The charts; without lines until there are two readings. */
    List<LineChart> charts() {
        List<Reading> all;
        synchronized (readings) {
            all = new ArrayList<>(readings);
        }
        long nowNs = System.nanoTime();
        long now = time.now().getEpochSecond();
        Lines lines = new Lines();
        for (int i = 1; i < all.size(); i++) {
            long at = now - TimeUnit.NANOSECONDS.toSeconds(nowNs - all.get(i).nowNs());
            lines.add(at, all.get(i - 1), all.get(i));
        }
        long from =
                all.isEmpty()
                        ? now
                        : now - TimeUnit.NANOSECONDS.toSeconds(nowNs - all.getFirst().nowNs());
        return lines.build(from, Math.max(now, from + 60));
    }

    /** The lines of all charts. */
    private static final class Lines {

        private final LineChart.Builder bytes =
                new LineChart.Builder(
                        "bytes",
                        "Broadcast to or by all ranks",
                        Unit.BITS_PER_SECOND,
                        "throughput");
        private final LineChart.Builder loss =
                new LineChart.Builder("loss", "Fragments lost, all ranks", Unit.PERCENT, "lost");
        private final LineChart.Builder reports =
                new LineChart.Builder("reports", "Reports of ranks", Unit.PER_SECOND, "reports");
        private final LineChart.Builder leases =
                new LineChart.Builder(
                        "leases",
                        "Leases",
                        Unit.PER_SECOND,
                        "granted",
                        "renewed",
                        "released",
                        "refused");
        private final LineChart.Builder groups =
                new LineChart.Builder("groups", "Groups", Unit.COUNT, "leased", "in quarantine");
        private final LineChart.Builder madcap =
                new LineChart.Builder("madcap", "MADCAP datagrams", Unit.PER_SECOND, "received");
        private final LineChart.Builder requests =
                new LineChart.Builder("requests", "HTTP requests", Unit.PER_SECOND, "requests");
        private final LineChart.Builder durations =
                new LineChart.Builder(
                                "durations",
                                "Duration of HTTP requests",
                                Unit.SECONDS,
                                "mean",
                                "longest of late")
                        .logarithmic();
        private final LineChart.Builder processor =
                new LineChart.Builder(
                        "processor",
                        "Processor of the service, of all cores",
                        Unit.PERCENT,
                        "busy");

        /** What happened between two readings. */
        void add(long at, Reading before, Reading it) {
            double seconds = (it.nowNs() - before.nowNs()) / 1e9;
            Leases was = before.leases();
            Leases is = it.leases();
            leases.add(
                    at,
                    (is.granted() - was.granted()) / seconds,
                    (is.renewed() - was.renewed()) / seconds,
                    (is.released() - was.released()) / seconds,
                    (is.refused() - was.refused()) / seconds);
            groups.add(at, is.leased(), is.resting());
            madcap.add(at, (is.madcap() - was.madcap()) / seconds);
            ranks(at, seconds, before.ranks(), it.ranks());
            double many = it.requests().count() - before.requests().count();
            requests.add(at, many / seconds);
            durations.add(
                    at,
                    positive((it.requests().seconds() - before.requests().seconds()) / many),
                    positive(it.requests().longest()));
            processor.add(at, it.processor());
        }

        private void ranks(long at, double seconds, Ranks was, Ranks is) {
            bytes.add(at, BITS * (is.bytes() - was.bytes()) / seconds);
            double useful = is.useful() - was.useful();
            loss.add(at, useful <= 0 ? Double.NaN : 100 * (is.lost() - was.lost()) / useful);
            reports.add(at, (is.reports() - was.reports()) / seconds);
        }

        List<LineChart> build(long from, long to) {
            return Stream.of(
                            bytes, loss, reports, leases, groups, madcap, requests, durations,
                            processor)
                    .map(it -> it.build(from, to))
                    .toList();
        }
    }

    /** A logarithmic axis has no zero. */
    private static double positive(double seconds) {
        return seconds > 0 ? seconds : Double.NaN;
    }
}
