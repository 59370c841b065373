package org.madcast.agent.terminal;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** On what was measured: a number without it means little. */
public final class Machine {

    private Machine() {}

    /** Its processor, memory, system and Java, and the time. */
    public static JsonObject describe() {
        JsonObject machine = new JsonObject();
        machine.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("memory", field(Path.of("/proc/meminfo"), "MemTotal"));
        machine.put(
                "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("architecture", System.getProperty("os.arch"));
        machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.put("measuredAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return machine;
    }

    private static String field(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException _) {
            // Not Linux.
        }
        return "unknown";
    }
}
