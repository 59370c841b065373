package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.time.Instant;
import org.madcast.agent.terminal.LibraryLog;

/** The daemon's log: one JSON object a line. Any thread. */
final class AgentLog {

    private final PrintWriter out;

    AgentLog(PrintWriter out) {
        this.out = out;
    }

    /**
     * From now on warnings of the libraries are logged here too, for as long as the program runs.
     */
    void takeWarnings() {
        LibraryLog.through(line -> say(AgentEvent.WARNED, "text", line));
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
