package org.madcast.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The process that made a lab. A process id is used again some day; together with the start time it
 * names one process only.
 *
 * @param pid the process id
 * @param startTicks when it started, in clock ticks since the machine's start
 */
public record LabOwner(long pid, long startTicks) {
    /** Field 22 of /proc/PID/stat, counted from the field that follows the command's name. */
    private static final int START_FIELD = 19;

    static LabOwner self() {
        long pid = ProcessHandle.current().pid();
        return new LabOwner(pid, startTicks(pid).orElse(0));
    }

    /** Whether that very process still runs; one that waits to be reaped by its parent does not. */
    public boolean isAlive() {
        OptionalLong started = startTicks(pid);
        return started.isPresent() && started.getAsLong() == startTicks;
    }

    private static OptionalLong startTicks(long pid) {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        } catch (IOException e) {
            return OptionalLong.empty(); // no such process
        }
        // The name is in parentheses and may hold spaces and parentheses itself.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields[0].equals("Z")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(fields[START_FIELD]));
    }
}
