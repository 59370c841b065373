package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The daemon's log: one JSON object a line. Any thread. */
final class AgentLog {

    /**
     * What the library tells in words of its own, below warnings, would stand between the lines.
     */
    private static final Logger LIBRARY = Logger.getLogger("org.madcast.client");

    private final PrintWriter out;

    AgentLog(PrintWriter out) {
        this.out = out;
        LIBRARY.setLevel(Level.WARNING);
    }

    /**
     * Says what happened.
     *
     * @param details names and values in turn
     */
    void say(AgentEvent event, Object... details) {
        JsonObject line = new JsonObject();
        line.put("time", Instant.now().toString());
        line.put("level", event.level());
        line.put("id", event.id());
        line.put("event", event.text());
        for (int i = 0; i + 1 < details.length; i += 2) {
            line.put(details[i].toString(), details[i + 1]);
        }
        synchronized (out) {
            out.println(JsonWriter.string(line));
            out.flush();
        }
    }
}
