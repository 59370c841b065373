package org.madcast.client.report;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;

/**
 * Writes what a {@link CallRecorder} has: the file of docs/PROFILE.md, and a line for the report.
 */
final class CallProfile {

    /** What the line on standard error begins with. */
    private static final String MARK = "madcast: report: ";

    /** How often this process has written a file, if it joins several times. */
    private static final Map<Path, Integer> WRITTEN = new ConcurrentHashMap<>();

    private final CallRecorder calls;
    private final CommunicatorConfig config;
    private final CallSums sums;

    CallProfile(CallRecorder calls) {
        this.calls = calls;
        this.config = Objects.requireNonNull(calls.config);
        this.sums = calls.sums;
    }

    /** Empty for no report; else a line of JSON goes to standard error. */
    static String report() {
        return System.getenv().getOrDefault("MADCAST_REPORT", "").strip();
    }

    /** Where the profile goes; null if none is wanted. */
    static @Nullable Path file(CommunicatorConfig config) {
        Path wanted = config.profile();
        String named = System.getenv().getOrDefault("MADCAST_PROFILE", "").strip();
        return wanted != null || named.isEmpty() ? wanted : Path.of(named);
    }

    void write() {
        JsonObject summary = summary();
        Path pattern = calls.file;
        if (pattern != null) {
            try {
                write(pattern, summary);
            } catch (IOException failed) {
                System.err.println(
                        "madcast: rank " + config.rank() + ": no profile is written: " + failed);
            }
        }
        if (!report().isEmpty()) {
            System.err.println(MARK + JsonWriter.string(summary));
        }
    }

    private void write(Path pattern, JsonObject summary) throws IOException {
        String rank = "" + config.rank();
        Path file =
                pattern.toString().contains("%r")
                        ? Path.of(pattern.toString().replace("%r", rank))
                        : pattern.resolve("rank-" + rank + ".jsonl");
        int number = WRITTEN.merge(file, 1, Integer::sum);
        if (number > 1) {
            file = Path.of(file + "." + number);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < calls.events; i++) {
                out.write(event(i));
            }
            out.write(JsonWriter.string(summary) + "\n");
        }
    }

    private String event(int number) {
        long[] block = calls.blocks.get(number / CallRecorder.EVENTS_OF_A_BLOCK);
        int at = number % CallRecorder.EVENTS_OF_A_BLOCK * CallRecorder.WIDTH;
        int kind = (int) block[at] & 0xFF;
        int site = (int) block[at] >>> 8;
        int peer = (int) (block[at] >> 32);
        return "{\"t\":"
                + block[at + 1]
                + ",\"op\":\""
                + CallRecorder.name(kind)
                + "\",\"ns\":"
                + block[at + 2]
                + ",\"waitNs\":"
                + block[at + 3]
                + ",\"bytes\":"
                + block[at + 4]
                + (peer < 0 ? "" : ",\"peer\":" + peer)
                + ",\"comm\":\""
                + Long.toHexString(block[at + 5])
                + '"'
                + (site == 0 ? "" : ",\"at\":\"" + calls.sites.get(site - 1) + '"')
                + "}\n";
    }

    private JsonObject summary() {
        JsonObject summary = new JsonObject();
        summary.put("profile", 1);
        summary.put("rank", config.rank());
        summary.put("size", config.size());
        summary.put("job", config.jobId());
        summary.put("host", host());
        summary.put(
                "startEpochNs",
                calls.start.getEpochSecond() * 1_000_000_000L + calls.start.getNano());
        summary.put("wallNs", System.nanoTime() - calls.startNs);
        summary.put("callNs", sums.total(CallSums.NS));
        summary.put("waitNs", sums.total(CallSums.WAITED_NS));
        summary.put("bytes", sums.total(CallSums.BYTES));
        summary.put("unrecorded", calls.unrecorded);
        summary.put("multicastBytes", sums.multicastBytes);
        JsonArray operations = new JsonArray();
        costliest()
                .forEach(kind -> {
                    JsonObject operation = new JsonObject();
                    operation.put("op", CallRecorder.name(kind));
                    operation.put("calls", sums.of(kind, CallSums.CALLS));
                    operation.put("ns", sums.of(kind, CallSums.NS));
                    operation.put("waitNs", sums.of(kind, CallSums.WAITED_NS));
                    operation.put("bytes", sums.of(kind, CallSums.BYTES));
                    operation.put("longestNs", sums.of(kind, CallSums.LONGEST_NS));
                    int site = (int) sums.of(kind, CallSums.SITE_OF_LONGEST);
                    if (site > 0) {
                        operation.put("longestAt", calls.sites.get(site - 1));
                    }
                    operations.add(operation);
                });
        summary.put("ops", operations);
        JsonArray peers = new JsonArray();
        for (int rank = 0; rank < config.size(); rank++) {
            if (sums.waitedNs[rank] + sums.messages[rank] > 0) {
                peers.add(
                        new JsonArray(
                                List.of(
                                        rank,
                                        sums.messages[rank],
                                        sums.sentBytes[rank],
                                        sums.waitedNs[rank])));
            }
        }
        summary.put("peers", peers);
        return summary;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "";
        }
    }

    /** Kinds that occurred, the one that took longest first. */
    private List<Integer> costliest() {
        return IntStream.range(0, CallRecorder.KINDS)
                .filter(kind -> sums.of(kind, CallSums.CALLS) > 0)
                .boxed()
                .sorted(Comparator.comparingLong(kind -> -sums.of(kind, CallSums.NS)))
                .toList();
    }
}
