package org.madcast.allocator.access;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose program is at the other end of a connection of this machine, as Linux's table of sockets
 * says. Elsewhere it knows nothing. From any thread.
 */
final class SocketUsers {

    /** A user that a container does not know has this number there. */
    private static final String NOBODY = "65534";

    private static final String ESTABLISHED = "01";
    private static final String NO_PROCESS = "0";
    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    // Columns of the table, behind the number of the line.
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int USER = 7;
    private static final int INODE = 9;

    private final Path proc;
    private final Optional<String> own;

    SocketUsers() {
        this(Path.of("/proc/self"));
    }

    SocketUsers(Path proc) {
        this.proc = proc;
        this.own = ownUser(proc.resolve("status"));
    }

    /**
     * Whether the connection's other end belongs to the user that runs this program. False when
     * that is not known.
     *
     * @param theirs the other end
     * @param ours this end
     */
    boolean isOwn(InetSocketAddress theirs, InetSocketAddress ours) {
        return own.isPresent() && own.equals(user(theirs, ours));
    }

    private Optional<String> user(InetSocketAddress theirs, InetSocketAddress ours) {
        for (String table : List.of("net/tcp", "net/tcp6")) {
            boolean wide = table.endsWith("6");
            @Nullable String from = written(theirs, wide);
            @Nullable String to = written(ours, wide);
            if (from != null && to != null) {
                Optional<String> user = find(proc.resolve(table), from, to);
                if (user.isPresent()) {
                    return user;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> find(Path table, String local, String remote) {
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            return lines.lines()
                    .filter(it -> it.contains(local))
                    .map(it -> BLANKS.split(it.strip(), -1))
                    .filter(it ->
                            it.length > INODE
                                    && it[LOCAL].equals(local)
                                    && it[REMOTE].equals(remote)
                                    // A closed one has no owner, which reads as root.
                                    && it[STATE].equals(ESTABLISHED)
                                    && !it[INODE].equals(NO_PROCESS))
                    .map(it -> it[USER])
                    .findFirst();
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }

    /** As the table has it: words of 32 bits in this machine's order; null if it has no such. */
    private static @Nullable String written(InetSocketAddress end, boolean wide) {
        InetAddress address = end.getAddress();
        byte[] bytes = address.getAddress();
        if (bytes.length > Integer.BYTES && !wide) {
            return null;
        }
        ByteBuffer words =
                ByteBuffer.allocate(wide ? 4 * Integer.BYTES : Integer.BYTES)
                        .order(ByteOrder.nativeOrder());
        if (bytes.length == Integer.BYTES && wide) {
            words.put(MAPPED);
        }
        words.put(bytes).flip();
        StringBuilder text = new StringBuilder();
        while (words.hasRemaining()) {
            text.append("%08X".formatted(words.getInt()));
        }
        return text.append(":%04X".formatted(end.getPort())).toString().toUpperCase(Locale.ROOT);
    }

    private static Optional<String> ownUser(Path status) {
        try (BufferedReader lines = Files.newBufferedReader(status)) {
            return lines.lines()
                    .filter(it -> it.startsWith("Uid:"))
                    // The real one, the effective one.
                    .map(it -> it.split("\\s+", -1)[2])
                    .filter(it -> !it.equals(NOBODY))
                    .findFirst();
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }
}
