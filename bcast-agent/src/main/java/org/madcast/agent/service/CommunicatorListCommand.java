package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast communicator list}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "list",
        header = "Show the communicators that there are, the newest first.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast communicator list",
            "  madcast communicator list --job render-17 --ended"
        })
final class CommunicatorListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Option(names = "--job", paramLabel = "JOB", description = "Only those of this job.")
    private @Nullable String job;

    @Option(names = "--ended", description = "Those that ended, too.")
    private boolean ended;

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "0",
            description = "Which page to show, counted from 0.")
    private int page;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many to a page (default ${DEFAULT-VALUE}).")
    private int size;

    @Override
    public Integer call() throws InterruptedException {
        Map<String, @Nullable Object> wanted = new LinkedHashMap<>();
        wanted.put("job", job);
        wanted.put("ended", ended);
        wanted.put("page", page);
        wanted.put("size", size);
        JsonObject answer = service.client().get(Listing.query("/v1/communicators", wanted));
        new Listing()
                .field("job", "job")
                .field("name", "name")
                .column("ranks", it -> it.getLong("present") + " of " + it.getLong("size"))
                .column("state", it -> it.has("endedAt") ? "ended" : "living")
                .column("id", it -> Listing.text(it, "id"))
                .print(spec, service, answer, "items", "no communicators");
        return ExitCode.OK.code();
    }
}
