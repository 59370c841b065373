package org.madcast.agent.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Passes the launcher's standard input on to rank 0, as it comes, and its end. */
final class RankInput {

    private static final int CHUNK = 3 * 1024;

    private RankInput() {}

    /** Passes bytes on as they are. */
    static void pass(InputStream from, OutputStream to) {
        start(() -> {
            try (to) {
                byte[] chunk = new byte[CHUNK];
                for (int read = from.read(chunk); read >= 0; read = from.read(chunk)) {
                    to.write(chunk, 0, read);
                    to.flush();
                }
            } catch (IOException _) {
                // The rank reads no more, or this process may not read its terminal.
            }
        });
    }

    /**
     * Passes bytes on in lines of Base64, and their end as a line with a dot: the end of the stream
     * itself means that the connection is gone.
     */
    static void passInLines(InputStream from, OutputStream to) {
        start(() -> {
            try {
                byte[] chunk = new byte[CHUNK];
                for (int read = from.read(chunk); read >= 0; read = from.read(chunk)) {
                    line(to, Base64.getEncoder().encode(Arrays.copyOf(chunk, read)));
                }
                line(to, ".".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException _) {
                // As above.
            }
        });
    }

    private static void line(OutputStream to, byte[] text) throws IOException {
        to.write(text);
        to.write('\n');
        to.flush();
    }

    private static void start(Runnable pump) {
        Thread.ofPlatform().daemon().name("input").start(pump);
    }
}
