package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast import}: the state of another service. */
@ExitCodes({ExitCode.SERVICE, ExitCode.NO_INPUT})
@Command(
        name = "import",
        header = "Put the state that another service exported into this one.",
        description = {
            "",
            "This one must have granted nothing yet, and be of the same version. All is read, or when"
                    + " anything is wrong, nothing. Only an operator may."
        },
        footerHeading = "%nExample:%n",
        footer = "  madcast import madcast-state.jsonl --service http://new:8730")
public final class ImportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(paramLabel = "FILE", description = "What 'madcast export' wrote.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer;
        try (InputStream state = Files.newInputStream(file)) {
            answer = service.operatorClient().upload("/v1/state", state);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be read; name what was exported", e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (service.json()) {
            out.println(JsonWriter.string(answer));
        } else {
            Table table = new Table("table", "rows");
            answer.getObject("rows", new JsonObject()).forEach(table::row);
            table.print(out);
        }
        return ExitCode.OK.code();
    }
}
