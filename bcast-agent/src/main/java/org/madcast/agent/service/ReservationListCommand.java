package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code madcast reservation list}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "list",
        header = "Show which groups are kept for whom, by address.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast reservation list",
            "  madcast reservation list --json | jq -r '.reservations[].address'"
        })
final class ReservationListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.operatorClient().get("/v1/reservations");
        PrintWriter out = spec.commandLine().getOut();
        JsonArray all = answer.getArray("reservations", new JsonArray());
        if (service.json()) {
            out.println(JsonWriter.string(answer));
        } else if (all.isEmpty()) {
            out.println("no reservations");
        } else {
            print(all, out);
        }
        return ExitCode.OK.code();
    }

    /** A line for each. */
    static void print(JsonArray all, PrintWriter out) {
        Table table = new Table("group", "for", "until", "leased");
        for (int i = 0; i < all.size(); i++) {
            JsonObject it = all.getObject(i);
            table.row(
                    group(it),
                    holder(it),
                    it.has("until") ? LeaseText.time(it, "until") : "removed",
                    it.has("lease") ? "yes" : "no");
        }
        table.print(out);
    }

    /** Its group; an address alone if it is kept on all of its ports. */
    static String group(JsonObject reservation) {
        String address = reservation.getString("address");
        return reservation.has("port")
                ? LeaseText.endpoint(address, reservation.getInt("port"))
                : address;
    }

    private static String holder(JsonObject reservation) {
        List<String> parts = new ArrayList<>();
        for (String kind : List.of("job", "user", "token")) {
            if (reservation.has(kind)) {
                parts.add(kind + " " + reservation.getString(kind));
            }
        }
        return String.join(", ", parts);
    }
}
