package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast scope exclude}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "exclude",
        header = "Lease some addresses of a scope no more, or again.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast scope exclude default 239.192.7.0/28",
            "  madcast scope exclude default 239.192.7.0/28 --undo"
        })
final class ScopeExcludeCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The scope's name.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "RANGE",
            description =
                    "An address, a block such as 239.192.7.0/28, or a range such as"
                            + " 239.192.7.0-239.192.7.9.")
    private List<String> ranges = new ArrayList<>();

    @Option(names = "--undo", description = "Lease them again.")
    private boolean undo;

    @Override
    public Integer call() throws InterruptedException {
        ServiceClient client = service.operatorClient();
        JsonObject scope = ScopeText.properties(client.get(ScopeText.path(name)));
        JsonArray excluded = scope.getArray("excluded", new JsonArray());
        for (String range : ranges) {
            if (!undo && !excluded.contains(range)) {
                excluded.add(range);
            } else if (undo && !excluded.remove(range)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "%s is not excluded from scope '%s'; 'madcast scope show %s' shows what is"
                                .formatted(range, name, name));
            }
        }
        scope.put("excluded", excluded);
        JsonObject changed = client.put(ScopeText.path(name), scope);
        spec.commandLine()
                .getOut()
                .println(service.json() ? JsonWriter.string(changed) : "changed scope " + name);
        return ExitCode.OK.code();
    }
}
