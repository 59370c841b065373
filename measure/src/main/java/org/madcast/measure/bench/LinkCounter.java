package org.madcast.measure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads how many bytes an interface of this process's own network has sent. */
final class LinkCounter {

    private static final Path DEVICES = Path.of("/proc/self/net/dev");
    private static final int SENT_BYTES = 8;

    private final String prefix;

    LinkCounter(String interfaceName) {
        this.prefix = interfaceName + ":";
    }

    /** Bytes sent so far, Ethernet headers included; 0 where the system does not say. */
    long sentBytes() throws IOException {
        if (!Files.exists(DEVICES)) {
            return 0;
        }
        for (String line : Files.readAllLines(DEVICES)) {
            String stripped = line.strip();
            if (stripped.startsWith(prefix)) {
                String[] fields = stripped.substring(prefix.length()).strip().split("\\s+", -1);
                return Long.parseLong(fields[SENT_BYTES]);
            }
        }
        return 0;
    }
}
