package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast lease renew}. */
@ExitCodes({ExitCode.SERVICE, ExitCode.NO_SUCH_LEASE})
@Command(
        name = "renew",
        header = "Keep a lease's groups for longer.",
        footerHeading = "%nExample:%n",
        footer = "  MADCAST_LEASE_SECRET=... madcast lease renew ID --duration 2h")
final class LeaseRenewCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();
    @Mixin private LeaseHolder holder = new LeaseHolder();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "1h",
            description =
                    "How long to lease from now on, such as 10m, 1h or 2d (default ${DEFAULT-VALUE}).")
    private Duration duration = Duration.ZERO;

    @Override
    public Integer call() throws InterruptedException {
        JsonObject request = new JsonObject();
        request.put("durationSeconds", duration.toSeconds());
        JsonObject lease =
                service.client().post(holder.path() + "/renewal", request, holder.headers());
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(lease));
        } else {
            out.println("group    " + LeaseText.groups(lease));
            out.println("expires  " + LeaseText.time(lease, "expiresAt"));
        }
        return ExitCode.OK.code();
    }
}
