package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** When a token ends; shared by the commands that make one. */
final class TokenEnd {

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = {
                "After how long it ends, such as 12h or 90d",
                "(default never; of a successor: it lasts as long as its predecessor did)."
            })
    private @Nullable String expires;

    /** Says so in a request, if there is an end. */
    void addTo(JsonObject request, CommandSpec spec) {
        if (expires != null) {
            try {
                request.put("expiresAt", Instant.now().plus(Units.duration(expires)).toString());
            } catch (IllegalArgumentException wrong) {
                throw new ParameterException(
                        spec.commandLine(), "--expires: " + wrong.getMessage(), wrong);
            }
        }
    }
}
