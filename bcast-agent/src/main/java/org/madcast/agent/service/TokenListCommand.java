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
import picocli.CommandLine.Spec;

/** {@code madcast token list}. */
@ExitCodes(ExitCode.SERVICE)
@Command(
        name = "list",
        header = "Show which tokens there are, but not the tokens.",
        footerHeading = "%nExamples:%n",
        footer = {"  madcast token list", "  madcast token list --json | jq '.tokens[].name'"})
final class TokenListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        JsonObject answer = service.operatorClient().get("/v1/tokens");
        PrintWriter out = spec.commandLine().getOut();
        JsonArray tokens = answer.getArray("tokens", new JsonArray());
        if (service.json()) {
            out.println(JsonWriter.string(answer));
        } else if (tokens.isEmpty()) {
            out.println("no tokens");
        } else {
            Table table =
                    new Table("name", "role", "made", "by", "ends", "req/s", "groups", "last used");
            for (int i = 0; i < tokens.size(); i++) {
                JsonObject token = tokens.getObject(i);
                table.row(
                        token.getString("name"),
                        token.getString("role"),
                        LeaseText.time(token, "madeAt"),
                        token.getString("madeBy"),
                        token.has("expiresAt") ? LeaseText.time(token, "expiresAt") : "never",
                        limit(token, "requestsPerSecond"),
                        limit(token, "mostGroups"),
                        used(token));
            }
            table.print(out);
        }
        return ExitCode.OK.code();
    }

    private static String limit(JsonObject token, String field) {
        return token.has(field) ? Integer.toString(token.getInt(field)) : "any";
    }

    private static String used(JsonObject token) {
        return token.has("lastUsedAt")
                ? LeaseText.time(token, "lastUsedAt") + " " + token.getString("lastUsedFrom")
                : "never";
    }
}
