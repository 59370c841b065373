package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.client.file.RankReport;

/** What the daemon counts, as Prometheus reads it. Any thread. */
final class AgentMetrics {

    private static final long PAGE_BYTES = 4096;

    private final Instant started = Instant.now();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicLong complete = new AtomicLong();
    private final AtomicLong partly = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong fileFailures = new AtomicLong();

    void began() {
        active.incrementAndGet();
    }

    void ended() {
        active.decrementAndGet();
    }

    void brokeOff() {
        broken.incrementAndGet();
    }

    void refused() {
        refused.incrementAndGet();
    }

    void probed() {
        probes.incrementAndGet();
    }

    void finished(RankReport report) {
        (report.isWhole() ? complete : partly).incrementAndGet();
        files.addAndGet(report.filesWritten());
        bytes.addAndGet(report.bytesWritten());
        fileFailures.addAndGet(report.failureCount());
    }

    int active() {
        return active.get();
    }

    Instant started() {
        return started;
    }

    /** What a heartbeat says of pushes. */
    JsonObject counts() {
        JsonObject counts = new JsonObject();
        counts.put("active", active.get());
        counts.put("complete", complete.get());
        counts.put("partly", partly.get());
        counts.put("broken", broken.get());
        counts.put("files", files.get());
        counts.put("bytes", bytes.get());
        return counts;
    }

    /** The text format, version 0.0.4. */
    String prometheus() {
        StringBuilder text = new StringBuilder();
        String pushes = "madcast_agent_pushes_total";
        head(text, pushes, "counter", "Pushes that this node took part in, by outcome.");
        sample(text, pushes + "{outcome=\"complete\"}", complete.get());
        sample(text, pushes + "{outcome=\"partly\"}", partly.get());
        sample(text, pushes + "{outcome=\"broken\"}", broken.get());
        metric(text, "madcast_agent_pushes_active", "gauge", "Pushes under way.", active.get());
        metric(text, "madcast_agent_files_total", "counter", "Files written.", files.get());
        metric(text, "madcast_agent_file_bytes_total", "counter", "Their bytes.", bytes.get());
        metric(
                text,
                "madcast_agent_file_failures_total",
                "counter",
                "Files that could not be written.",
                fileFailures.get());
        metric(
                text,
                "madcast_agent_refusals_total",
                "counter",
                "Connections and destinations that were refused.",
                refused.get());
        metric(
                text,
                "madcast_agent_probes_total",
                "counter",
                "Probes and measurements that this node took part in.",
                probes.get());
        metric(text, "process_resident_memory_bytes", "gauge", "Resident memory.", residentBytes());
        metric(
                text,
                "process_start_time_seconds",
                "gauge",
                "When the agent was started, in seconds since 1970.",
                started.getEpochSecond());
        return text.toString();
    }

    private static void metric(
            StringBuilder text, String name, String kind, String help, long value) {
        head(text, name, kind, help);
        sample(text, name, value);
    }

    private static void head(StringBuilder text, String name, String kind, String help) {
        text.append(
                String.format(Locale.ROOT, "# HELP %s %s%n# TYPE %s %s%n", name, help, name, kind));
    }

    private static void sample(StringBuilder text, String name, long value) {
        text.append(name).append(' ').append(value).append('\n');
    }

    private static long residentBytes() {
        try {
            String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3);
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException _) {
            return 0;
        }
    }
}
