package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
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
        listing().print(spec, service, answer, "reservations", "no reservations");
        return ExitCode.OK.code();
    }

    /** A line for each. */
    static Listing listing() {
        return new Listing()
                .column("group", ReservationListCommand::group)
                .column("for", ReservationListCommand::holder)
                .column("until", it -> it.has("until") ? LeaseText.time(it, "until") : "removed")
                .column("leased", it -> it.has("lease") ? "yes" : "no");
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
