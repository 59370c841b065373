package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast webhook set}. */
@ExitCodes({ExitCode.SERVICE})
@Command(
        name = "set",
        header = "Tell a receiver over HTTP what is recorded from now on.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast webhook set inventory http://inventory:8080/madcast",
            "  madcast webhook set ops https://ops/hook --kind lease.released --kind refused"
        })
final class WebhookSetCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "What it is called.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "URL",
            description =
                    "Where to POST each entry, as a CloudEvent in JSON. What it is signed with is"
                            + " printed, once.")
    private String url = "";

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "Only these, such as lease.granted; may be repeated (default all).")
    private List<String> kinds = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject wish = new JsonObject();
        wish.put("url", url);
        wish.put("kinds", new JsonArray(kinds));
        JsonObject hook =
                service.operatorClient().put("/v1/webhooks/" + ServiceOptions.encoded(name), wish);
        spec.commandLine()
                .getOut()
                .println(
                        service.json()
                                ? JsonWriter.string(hook)
                                : hook.getString("secret", "changed webhook " + name));
        return ExitCode.OK.code();
    }
}
