package org.madcast.agent.demo;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.service.ServiceProcess;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;
import org.madcast.client.GroupSource;

/** What a demonstration showed: for people, for scripts, and as an exit code. */
final class DemoResult {

    private final DemoOptions options;
    private final String cluster;
    private final JsonObject agreed;
    private final List<RankOutcome> outcomes;
    private final List<String> remarks;
    private @Nullable ServiceProcess service;
    private boolean serviceDied;
    private boolean leaseLeft;

    DemoResult(
            DemoOptions options,
            String cluster,
            JsonObject agreed,
            List<RankOutcome> outcomes,
            List<String> remarks) {
        this.options = options;
        this.cluster = cluster;
        this.agreed = agreed;
        this.outcomes = outcomes;
        this.remarks = remarks;
    }

    /** Asks the service, which may have died meanwhile, whether the job's lease is gone. */
    void addService(ServiceProcess process, String job) throws InterruptedException {
        service = process;
        serviceDied = !process.isAlive();
        if (!serviceDied) {
            try {
                leaseLeft = Demo.leaseIsLive(process, job);
            } catch (CommandFailure _) {
                serviceDied = true;
            }
        }
    }

    private boolean isLeased() {
        return GroupSource.LEASED.name().equals(agreed.getString("groupSource"));
    }

    private boolean checksumsAgree() {
        return outcomes.stream().allMatch(RankOutcome::checksumOk)
                && outcomes.stream().map(RankOutcome::sha256).distinct().count() == 1;
    }

    private long startNs() {
        return outcomes.getFirst().startNs();
    }

    private double seconds() {
        long endNs = outcomes.stream().mapToLong(RankOutcome::endNs).max().orElse(startNs());
        return Math.max(1, endNs - startNs()) / 1e9;
    }

    private double bytesPerSecond() {
        return outcomes.getFirst().bytes() / seconds();
    }

    private static double milliseconds(long ns) {
        return Math.max(0, ns) / 1e6;
    }

    private String pool() {
        return isLeased()
                ? agreed.getString("scope", "?")
                : "none, " + agreed.getString("groupSource", "?").toLowerCase(Locale.ROOT);
    }

    private String leaseEnd() {
        if (leaseLeft) {
            return "not released, it expires at " + agreed.getString("leaseExpiresAt", "its time");
        }
        return "released";
    }

    /** For people. */
    void print(PrintWriter out) {
        long bytes = outcomes.getFirst().bytes();
        out.println();
        out.println("file     " + options.file() + ", " + Units.size(bytes));
        out.println("hosts    " + cluster);
        out.println("group    " + agreed.getString("group"));
        out.println("pool     " + pool());
        out.println();
        table().print(out);
        out.println();
        out.println(
                String.format(
                        Locale.ROOT,
                        "%s to %d ranks in %.2f s: %s to each, sent once",
                        Units.size(bytes),
                        outcomes.size(),
                        seconds(),
                        Units.rate(bytesPerSecond())));
        out.println(checksumsAgree() ? "all checksums agree" : "CHECKSUMS DIFFER");
        if (isLeased() && !serviceDied) {
            out.println("lease " + leaseEnd());
        }
        remarks.forEach(out::println);
        out.println();
        printHowToGoOn(out);
    }

    private Table table() {
        Table table =
                new Table("rank", "host", "ms", "received", "lost", "repaired", "sent", "checksum");
        for (RankOutcome outcome : outcomes) {
            table.row(
                    outcome.rank(),
                    outcome.host(),
                    String.format(Locale.ROOT, "%.1f", milliseconds(outcome.endNs() - startNs())),
                    outcome.datagramsReceived(),
                    outcome.fragmentsLost(),
                    outcome.repairsReceived(),
                    outcome.datagramsSent(),
                    outcome.checksumOk() ? "ok" : "WRONG");
        }
        return table;
    }

    private void printHowToGoOn(PrintWriter out) {
        ServiceProcess running = service;
        if (options.keep() && running != null && !serviceDied) {
            out.println("dashboard  " + running.uri() + "/ (the service keeps running)");
            out.println("stop it    kill " + running.pid());
            out.println("its data   " + running.directory() + " (delete it then)");
            out.println("leases     madcast lease list --service " + running.uri());
            return;
        }
        out.println(
                "dashboard  madcast demo --keep  leaves it running at http://127.0.0.1:"
                        + options.port()
                        + "/");
        if (options.lossPercent() == 0) {
            out.println("with loss  madcast demo --loss 1");
        }
        out.println("your file  madcast demo FILE");
        out.println("measure    madcast bench --help");
    }

    /** For scripts. */
    void printJson(PrintWriter out) {
        JsonObject result = new JsonObject();
        result.put("file", options.file().toString());
        result.put("bytes", outcomes.getFirst().bytes());
        result.put("sha256", outcomes.getFirst().sha256());
        result.put("hosts", cluster);
        result.put("group", agreed.getString("group"));
        result.put("groupSource", agreed.getString("groupSource"));
        result.put("scope", agreed.getString("scope"));
        result.put("leaseReleased", isLeased() && !serviceDied && !leaseLeft);
        result.put("seconds", seconds());
        result.put("throughputBytesPerSecond", bytesPerSecond());
        result.put("checksumsAgree", checksumsAgree());
        ServiceProcess running = service;
        if (options.keep() && running != null && !serviceDied) {
            result.put("dashboard", running.uri() + "/");
            result.put("servicePid", running.pid());
        }
        JsonArray ranks = new JsonArray();
        outcomes.forEach(outcome -> ranks.add(json(outcome)));
        result.put("ranks", ranks);
        out.println(JsonWriter.string(result));
    }

    private JsonObject json(RankOutcome outcome) {
        JsonObject rank = new JsonObject();
        rank.put("rank", outcome.rank());
        rank.put("host", outcome.host());
        rank.put("milliseconds", milliseconds(outcome.endNs() - startNs()));
        rank.put("datagramsSent", outcome.datagramsSent());
        rank.put("datagramsReceived", outcome.datagramsReceived());
        rank.put("fragmentsLost", outcome.fragmentsLost());
        rank.put("repairsReceived", outcome.repairsReceived());
        rank.put("repairsSent", outcome.repairsSent());
        rank.put("checksumOk", outcome.checksumOk());
        return rank;
    }

    /** What the command ends with; anything but success is said in one line. */
    ExitCode exitCode(PrintWriter err) {
        if (!checksumsAgree()) {
            err.println("madcast: the ranks received different bytes; please report this");
            return ExitCode.CHECKSUM;
        }
        if (serviceDied) {
            err.println(
                    "madcast: the broadcast is complete, but the service ended meanwhile: the lease"
                            + " could not be released; it expires at "
                            + agreed.getString("leaseExpiresAt", "its time"));
            return ExitCode.SERVICE;
        }
        return ExitCode.OK;
    }
}
