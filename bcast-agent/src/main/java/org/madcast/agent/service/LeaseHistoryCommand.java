package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast lease history}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "history",
        header = "Show which jobs had an address, and when.",
        footerHeading = "%nExample:%n",
        footer = "  madcast lease history 239.192.17.4")
final class LeaseHistoryCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "A multicast address.")
    private String address = "";

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "50",
            description = "The most leases to show (default ${DEFAULT-VALUE}).")
    private int size;

    @Override
    public Integer call() throws InterruptedException {
        String query = ServiceOptions.encoded(address);
        JsonObject answer = service.client().get("/v1/history?address=" + query + "&size=" + size);
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(answer));
            return ExitCode.OK.code();
        }
        JsonArray items = answer.getArray("items", new JsonArray());
        if (items.isEmpty()) {
            out.println("no lease of " + address + " is known");
            return ExitCode.OK.code();
        }
        Table table = new Table("from", "to", "ports", "scope", "job", "user", "lease");
        for (int i = 0; i < items.size(); i++) {
            JsonObject entry = items.getObject(i);
            JsonObject ports = entry.getObject("ports");
            table.row(
                    LeaseText.time(entry, "startsAt"),
                    LeaseText.time(entry, "endedAt"),
                    LeaseText.ports(ports.getInt("first"), ports.getInt("last")),
                    entry.getString("scope"),
                    entry.getString("job"),
                    entry.getString("user", "-"),
                    entry.getString("leaseId"));
        }
        table.print(out);
        return ExitCode.OK.code();
    }
}
