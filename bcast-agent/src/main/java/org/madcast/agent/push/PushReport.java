package org.madcast.agent.push;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;
import org.madcast.client.file.FileFailure;
import org.madcast.client.file.RankReport;

/** What a push says at its end, to people or to scripts. */
final class PushReport {

    private PushReport() {}

    static void json(PrintWriter out, PushResult result) {
        JsonObject report = new JsonObject();
        report.put("complete", result.isComplete());
        report.put("files", result.files());
        report.put("bytes", result.bytes());
        report.put("streamBytes", result.streamBytes());
        report.put("seconds", result.seconds());
        report.put("bytesPerSecond", result.bytesPerSecond());
        report.put("rounds", result.rounds());
        JsonArray nodes = new JsonArray();
        result.nodes().forEach(node -> nodes.add(node(node)));
        report.put("nodes", nodes);
        report.put("sourceFailures", failures(result.sourceFailures()));
        Transmission transmission = result.transmission();
        if (transmission != null) {
            report.put("transmission", transmission(transmission));
        }
        out.println(JsonWriter.string(report));
        out.flush();
    }

    private static JsonObject transmission(Transmission transmission) {
        JsonObject one = new JsonObject();
        one.put("algorithm", transmission.algorithm().label());
        one.put("reason", transmission.reason());
        one.put("multicastFailed", transmission.multicastFailed());
        one.put("datagramsSent", transmission.datagramsSent());
        one.put("repairsSent", transmission.repairsSent());
        return one;
    }

    private static JsonObject node(NodeOutcome outcome) {
        JsonObject node = new JsonObject();
        node.put("node", outcome.node());
        node.put("state", outcome.state().label());
        node.put("reason", outcome.reason());
        RankReport report = outcome.report();
        if (report != null) {
            node.put("filesWritten", report.filesWritten());
            node.put("filesKept", report.filesKept());
            node.put("bytesWritten", report.bytesWritten());
            node.put("bytesResumed", report.bytesResumed());
            node.put("failureCount", report.failureCount());
            node.put("failures", failures(report.failures()));
        }
        return node;
    }

    private static JsonArray failures(List<FileFailure> failures) {
        JsonArray array = new JsonArray();
        for (FileFailure failure : failures) {
            JsonObject one = new JsonObject();
            one.put("path", failure.path());
            one.put("reason", failure.reason());
            array.add(one);
        }
        return array;
    }

    static void text(PrintWriter out, PushResult result) {
        long complete = result.nodes().stream().filter(NodeOutcome::isComplete).count();
        out.printf(
                Locale.ROOT,
                "%d file%s, %s, to %d of %d node%s in %.1f s%s%n",
                result.files(),
                result.files() == 1 ? "" : "s",
                Units.size(result.bytes()),
                complete,
                result.nodes().size(),
                result.nodes().size() == 1 ? "" : "s",
                result.seconds(),
                result.reachedAny() ? ": " + Units.rate(result.bytesPerSecond()) : "");
        if (result.reachedAny() && result.streamBytes() < result.bytes() / 10 * 9) {
            out.println(
                    "only "
                            + Units.size(result.streamBytes())
                            + " had to be sent; the rest was there");
        }
        Transmission transmission = result.transmission();
        if (transmission != null && transmission.multicastFailed()) {
            out.printf(
                    "multicast does not reach all nodes, so this went by %s; 'madcast probe' finds"
                            + " out why%n",
                    transmission.algorithm().label());
        }
        for (FileFailure failure : result.sourceFailures()) {
            out.println("not sent: " + failure.path() + ": " + failure.reason());
        }
        if (complete < result.nodes().size()) {
            Table table = new Table("node", "state", "why");
            result.nodes().stream()
                    .filter(node -> !node.isComplete())
                    .forEach(node -> table.row(node.node(), node.state().label(), node.reason()));
            table.print(out);
        }
        out.flush();
    }
}
