package org.madcast.client.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.madcast.client.CommunicatorStatistics;

/** Puts a rank's counters into the fields of the service's report. */
final class ReportWriter {

    /** The reasons of datagrams that are of another communicator, or of another program. */
    private static final List<String> FOREIGN = List.of("foreign", "bad-version", "bad-length");

    private ReportWriter() {}

    static Map<String, Object> write(
            CommunicatorStatistics statistics,
            List<String> foreignSenders,
            List<Map<String, Object>> broadcasts,
            String socketPath) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("counters", counters(statistics));
        report.put("rejected", new LinkedHashMap<>(statistics.rejected()));
        report.put("socketPath", socketPath);
        report.put("broadcasts", broadcasts);
        if (!foreignSenders.isEmpty()) {
            report.put("foreignSenders", foreignSenders);
        }
        return report;
    }

    private static Map<String, Object> counters(CommunicatorStatistics statistics) {
        Map<String, Object> counters = new LinkedHashMap<>();
        counters.put("broadcasts", statistics.broadcasts());
        counters.put("messageBytes", statistics.messageBytes());
        counters.put("datagramsSent", statistics.datagramsSent());
        counters.put("datagramsReceived", statistics.datagramsReceived());
        counters.put("fragmentsUseful", statistics.fragmentsUseful());
        counters.put("fragmentsDuplicate", statistics.fragmentsDuplicate());
        counters.put("fragmentsLost", statistics.fragmentsLost());
        counters.put("repairsSent", statistics.repairsSent());
        counters.put("repairsReceived", statistics.repairsReceived());
        counters.put("repairRequestsSent", statistics.repairRequestsSent());
        counters.put("foreign", foreign(statistics.rejected()));
        counters.put("repairP99Ns", statistics.repairP99Ns());
        return counters;
    }

    private static long foreign(Map<String, Long> rejected) {
        return FOREIGN.stream().mapToLong(it -> rejected.getOrDefault(it, 0L)).sum();
    }
}
