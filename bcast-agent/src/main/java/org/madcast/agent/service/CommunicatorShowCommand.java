package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast communicator show}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "show",
        header = "Show a communicator, its group and its ranks.",
        footerHeading = "%nExample:%n",
        footer = {"  madcast communicator show 0198c0de-0000-7000-8000-00000000abcd"})
final class CommunicatorShowCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "ID",
            description = "Its number, as 'madcast communicator list' shows it.")
    private String id = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.client().get("/v1/communicators/" + ServiceOptions.encoded(id));
        if (!service.json()) {
            JsonObject lease = answer.getObject("lease", new JsonObject());
            spec.commandLine()
                    .getOut()
                    .println(
                            "job %s, communicator %s, group %s"
                                    .formatted(
                                            answer.getString("job"),
                                            answer.getString("name"),
                                            lease.isEmpty()
                                                    ? "none"
                                                    : LeaseText.endpoint(
                                                            lease.getString("address"),
                                                            lease.getInt("port"))));
        }
        new Listing()
                .column("rank", it -> it.getInt("rank"))
                .field("host", "host")
                .column(
                        "address",
                        it -> LeaseText.endpoint(it.getString("address"), it.getInt("port")))
                .field("state", "state")
                .print(spec, service, answer, "members", "it has no members");
        return ExitCode.OK.code();
    }
}
