package org.madcast.agent.probe;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.probe.Aspect.Kind;
import org.madcast.agent.probe.ProbeResult.RateStep;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/** What a probe says at its end, to people or to scripts. */
final class ProbeReport {

    private final ProbeResult result;
    private final List<Finding> findings;

    /**
     * A report.
     *
     * @param findings what is wrong
     */
    ProbeReport(ProbeResult result, List<Finding> findings) {
        this.result = result;
        this.findings = findings;
    }

    void text(PrintWriter out) {
        out.printf("group %s, TTL %d%n%n", result.tried().group(), result.tried().ttl());
        Table table =
                new Table(
                        "node",
                        "interface",
                        "MTU",
                        "buffer",
                        "hears",
                        "heard by",
                        "largest",
                        "takes",
                        "lost");
        for (int point = 0; point < result.facts().size(); point++) {
            ProbeFacts facts = result.facts().get(point);
            table.row(
                    facts.node(),
                    facts.interfaceName(),
                    facts.mtuBytes(),
                    Units.size(facts.receiveBufferBytes()),
                    hears(point) + " of " + (result.facts().size() - 1),
                    heardBy(point) + " of " + (result.facts().size() - 1),
                    largest(point) + " B",
                    rate(point),
                    lost(point));
        }
        table.print(out);
        out.println();
        out.println(queriers());
        if (findings.isEmpty()) {
            out.println("nothing is wrong");
        }
        for (Finding finding : findings) {
            out.println();
            out.println(finding.trouble().label() + ": " + finding.what());
            out.println("  cure: " + finding.cure());
        }
        out.flush();
    }

    private long hears(int point) {
        return result.matrix()
                .others(point)
                .filter(other -> result.matrix().passes(Aspect.GROUP, other, point))
                .count();
    }

    private long heardBy(int point) {
        return result.matrix()
                .others(point)
                .filter(other -> result.matrix().passes(Aspect.GROUP, point, other))
                .count();
    }

    /** The largest datagram of any point that arrived. */
    private int largest(int point) {
        int largest = 0;
        for (int other : result.matrix().others(point).toArray()) {
            for (int size : Aspect.sizes(result.facts().get(other).largestDatagramBytes())) {
                if (result.matrix().passes(new Aspect(Kind.SIZE, size), other, point)) {
                    largest = Math.max(largest, size);
                }
            }
        }
        return largest;
    }

    private double mostBitsPerSecond(int point) {
        return result.steps().stream()
                .mapToDouble(step -> step.arrived().get(point) * step.shares().get(point))
                .max()
                .orElse(0);
    }

    private String rate(int point) {
        return point == 0
                ? "-"
                : String.format(Locale.ROOT, "%.3g Mbit/s", mostBitsPerSecond(point) / 1e6);
    }

    private double lostShare(int point) {
        RateStep gentle = result.steps().get(Math.max(0, result.steps().size() - 2));
        return Math.clamp(1 - gentle.shares().get(point), 0, 1);
    }

    private String lost(int point) {
        return point == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * lostShare(point));
    }

    private String queriers() {
        String time = result.listened().toSeconds() + " s";
        if (!result.queries().isEmpty()) {
            return "IGMP queries heard in " + time + ": from " + result.queries();
        }
        if (!result.anybodyHearsQueriers()) {
            return "whether there is an IGMP querier is unknown: listening for one needs root";
        }
        boolean watched = result.watch().isPresent();
        return "no IGMP query was heard in "
                + time
                + (watched && result.listened().compareTo(Duration.ofSeconds(260)) > 0
                        ? ", yet multicast kept working unless it says otherwise below"
                        : "; queriers ask every 125 s, so use '--watch 6min' to make sure that"
                                + " multicast does not stop");
    }

    void json(PrintWriter out) {
        out.println(JsonWriter.string(toJson()));
        out.flush();
    }

    /** As scripts get it. */
    JsonObject toJson() {
        JsonObject report = new JsonObject();
        report.put("ok", findings.isEmpty());
        report.put("group", result.tried().group());
        report.put("ttl", result.tried().ttl());
        report.put("seconds", result.listened().toMillis() / 1000.0);
        JsonArray found = new JsonArray();
        for (Finding finding : findings) {
            JsonObject one = new JsonObject();
            one.put("trouble", finding.trouble().label());
            one.put("nodes", new JsonArray(finding.nodes()));
            one.put("what", finding.what());
            one.put("cure", finding.cure());
            found.add(one);
        }
        report.put("findings", found);
        JsonArray nodes = new JsonArray();
        for (int point = 0; point < result.facts().size(); point++) {
            nodes.add(node(point));
        }
        report.put("nodes", nodes);
        JsonObject queries = new JsonObject();
        queries.putAll(result.queries());
        report.put("queries", queries);
        report.put("queriesAudible", result.anybodyHearsQueriers());
        return report;
    }

    private JsonObject node(int point) {
        JsonObject node = result.facts().get(point).toJson();
        JsonArray hears = new JsonArray();
        result.matrix()
                .others(point)
                .filter(other -> result.matrix().passes(Aspect.GROUP, other, point))
                .forEach(other -> hears.add(result.name(other)));
        node.put("hears", hears);
        node.put("largestDatagramBytes", largest(point));
        node.put("overflowed", result.overflowed().get(point));
        if (point > 0) {
            node.put("bitsPerSecond", mostBitsPerSecond(point));
            node.put("lostShare", lostShare(point));
        }
        return node;
    }
}
