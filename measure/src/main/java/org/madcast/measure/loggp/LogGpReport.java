package org.madcast.measure.loggp;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;
import org.madcast.measure.loggp.LogGp.Protocol;

/** The parameters as text and as JSON. */
final class LogGpReport {

    private final NetworkParameters measured;

    LogGpReport(NetworkParameters measured) {
        this.measured = measured;
    }

    /** For people. */
    void text(PrintWriter out) {
        LogGp unicast = measured.unicast();
        out.println(number("L  %8.1f us   half of a round trip", unicast.latencyNs() / 1e3));
        out.println(number("o  %8.1f us   the sender's processor", unicast.overheadNs() / 1e3));
        out.println();
        protocols(out, unicast);
        measured.multicast()
                .ifPresentOrElse(
                        it -> {
                            out.println();
                            out.println(
                                    number("L  %8.1f us   of a multicast", it.latencyNs() / 1e3));
                            out.println();
                            protocols(out, it);
                        },
                        () -> out.println("\nno multicast arrives there; see 'madcast probe'"));
        measured.logFp().ifPresent(it -> logFp(out, it));
        measured.advice()
                .ifPresentOrElse(
                        it -> advice(out, it),
                        () ->
                                out.println(
                                        "\nno advice: larger datagrams took no longer than smaller"
                                                + " ones; measure again, on a network at rest"));
        out.flush();
    }

    private static void protocols(PrintWriter out, LogGp network) {
        Table table = new Table("from", "to", "g (us)", "G (ns/byte)", "rate (Mbit/s)");
        for (Protocol protocol : network.protocols()) {
            table.row(
                    protocol.fromBytes(),
                    protocol.toBytes(),
                    number("%.2f", protocol.line().gap() / 1e3),
                    number("%.3f", protocol.line().perByte()),
                    rate(protocol.bitsPerSecond()));
        }
        table.print(out);
    }

    private static void logFp(PrintWriter out, LogFp model) {
        Table table = new Table("nodes", "1:n n:1 us", "each", "model", "o(n)", "multicast");
        for (LogFp.Fan fan : model.fans()) {
            table.row(
                    fan.nodes(),
                    number("%.1f", fan.roundTripNs() / 1e3),
                    number("%.1f", fan.perMessageNs() / 1e3),
                    number("%.1f", model.roundTripNs(fan.nodes()) / 1e3),
                    number("%.2f", fan.overheadNs() / 1e3),
                    Double.isNaN(fan.multicastNs())
                            ? "-"
                            : number("%.1f", fan.multicastNs() / 1e3));
        }
        out.println();
        table.print(out);
        out.println();
        out.printf(
                Locale.ROOT,
                "LogfP: L %.1f us, o_min %.2f us, o_max %.2f us, g %.2f us, f %d%s%n",
                model.latencyNs() / 1e3,
                model.leastOverheadNs() / 1e3,
                model.moreOverheadNs() / 1e3,
                model.gapNs() / 1e3,
                model.free(),
                model.isFreeAtTheEnd() ? " or more" : "");
    }

    private static void advice(PrintWriter out, Advice advice) {
        out.println();
        out.printf(
                Locale.ROOT,
                "for %d ranks: MADCAST_FRAGMENT_SIZE=%d MADCAST_CROSSOVER_SIZE=%d%n",
                advice.ranks(),
                advice.fragmentBytes(),
                advice.crossoverBytes());
        out.println(
                number("(a chain of them would take %.1f ms for 1 MiB)", advice.chainNs() / 1e6));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** A dash where longer messages took no longer, so that no rate is seen. */
    private static String rate(double bitsPerSecond) {
        return Double.isFinite(bitsPerSecond) ? number("%.0f", bitsPerSecond / 1e6) : "-";
    }

    /** For programs. */
    String json() {
        JsonObject report = json(measured.unicast());
        measured.multicast().ifPresent(it -> report.put("multicast", json(it)));
        report.put("fans", array(measured.fans().stream().map(LogGpReport::json).toList()));
        measured.logFp().ifPresent(it -> report.put("logfp", json(it)));
        measured.advice().ifPresent(it -> report.put("advice", json(it)));
        return JsonWriter.string(report);
    }

    private static JsonObject json(LogGp network) {
        JsonObject json = new JsonObject();
        json.put("latencyNs", network.latencyNs());
        json.put("overheadNs", network.overheadNs());
        json.put("protocols", array(network.protocols().stream().map(LogGpReport::json).toList()));
        json.put("points", array(network.points().stream().map(LogGpReport::json).toList()));
        return json;
    }

    private static JsonObject json(Protocol protocol) {
        JsonObject json = new JsonObject();
        json.put("fromBytes", protocol.fromBytes());
        json.put("toBytes", protocol.toBytes());
        json.put("gapNs", protocol.line().gap());
        json.put("gapPerByteNs", protocol.line().perByte());
        return json;
    }

    private static JsonObject json(LineFit.Point point) {
        JsonObject json = new JsonObject();
        json.put("bytes", point.bytes());
        json.put("gapNs", point.ns());
        return json;
    }

    private static JsonObject json(LogFp.Fan fan) {
        JsonObject json = new JsonObject();
        json.put("nodes", fan.nodes());
        json.put("roundTripNs", fan.roundTripNs());
        json.put("overheadNs", fan.overheadNs());
        json.put("multicastNs", Double.isNaN(fan.multicastNs()) ? null : fan.multicastNs());
        return json;
    }

    private static JsonObject json(LogFp model) {
        JsonObject json = new JsonObject();
        json.put("latencyNs", model.latencyNs());
        json.put("leastOverheadNs", model.leastOverheadNs());
        json.put("moreOverheadNs", model.moreOverheadNs());
        json.put("gapNs", model.gapNs());
        json.put("free", model.free());
        json.put("freeIsLeast", model.isFreeAtTheEnd());
        return json;
    }

    private static JsonObject json(Advice advice) {
        JsonObject json = new JsonObject();
        json.put("ranks", advice.ranks());
        json.put("fragmentBytes", advice.fragmentBytes());
        json.put("crossoverBytes", advice.crossoverBytes());
        json.put("chainNs", advice.chainNs());
        return json;
    }

    private static JsonArray array(List<JsonObject> objects) {
        JsonArray array = new JsonArray();
        array.addAll(objects);
        return array;
    }
}
