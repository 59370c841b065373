package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast reservation remove}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "remove",
        header = "Remove a reservation; a lease that its owner has goes on.",
        footerHeading = "%nExamples:%n",
        footer = "  madcast reservation remove 239.192.7.1:5000")
final class ReservationRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "GROUP",
            description = "The group, as 'madcast reservation list' shows it.")
    private String which = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.operatorClient().get("/v1/reservations");
        JsonArray all = answer.getArray("reservations", new JsonArray());
        for (int i = 0; i < all.size(); i++) {
            JsonObject it = all.getObject(i);
            if (which.equals(ReservationListCommand.group(it))) {
                String path = "/v1/reservations/" + it.getString("id");
                return service.delete(spec, path, "removed " + which);
            }
        }
        throw new CommandFailure(
                ExitCode.SERVICE,
                which + " is not reserved; 'madcast reservation list' shows what is");
    }
}
