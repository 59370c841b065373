package org.madcast.agent.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.madcast.lab.Lab;
import org.madcast.lab.LabHost;

/**
 * A host that does not belong to the job, and connects to all ports on which its ranks listen: it
 * says nothing, or nonsense, or that it is a rank of another job. The words are written here as
 * docs/PROTOCOL.md has them, and not by the library under test.
 */
final class Strangers implements AutoCloseable {

    private static final int MAGIC = 0x4d434d31;
    private static final int VERSION = 2;
    private static final int HELLO_BYTES = 40;
    private static final int MOST_OPEN = 300;
    private static final String LISTENS = "0A";

    private final LabHost host;
    private final List<InetSocketAddress> ports = new ArrayList<>();
    private final Deque<SocketChannel> open = new ArrayDeque<>();
    private final AtomicInteger made = new AtomicInteger();
    private final Random random = new Random(11);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private Strangers(LabHost host) {
        this.host = host;
    }

    /** Connects again and again, until closed, from this host to those of the first ranks. */
    static Strangers from(LabHost host, Lab lab, int ranks) throws IOException {
        Strangers strangers = new Strangers(host);
        for (int rank = 0; rank < ranks; rank++) {
            InetAddress address = lab.host(rank).address();
            for (int port : lab.host(rank).call(Strangers::listening)) {
                strangers.ports.add(new InetSocketAddress(address, port));
            }
        }
        var _ =
                strangers.timer.scheduleWithFixedDelay(
                        strangers::connectToEach, 0, 2, TimeUnit.MILLISECONDS);
        return strangers;
    }

    /** The ports on which programs of the thread's host listen. */
    private static List<Integer> listening() throws IOException {
        List<Integer> found = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/thread-self/net", table))) {
                String[] words = line.strip().split("\\s+", -1);
                if (words[3].equals(LISTENS)) {
                    found.add(Integer.parseInt(words[1].replaceFirst(".*:", ""), 16));
                }
            }
        }
        return found;
    }

    private void connectToEach() {
        for (InetSocketAddress port : ports) {
            try {
                SocketChannel channel = host.call(SocketChannel::open);
                open.add(channel);
                channel.configureBlocking(false);
                boolean _ = channel.connect(port);
                ByteBuffer words = words(made.getAndIncrement() % 4);
                while (!channel.finishConnect()) {
                    Thread.onSpinWait();
                }
                int _ = channel.write(words);
            } catch (IOException _) {
                // It is refused, which is what it deserves.
            }
            while (open.size() > MOST_OPEN) {
                close(open.remove());
            }
        }
    }

    private ByteBuffer words(int kind) {
        byte[] nonsense = new byte[kind == 0 ? 0 : HELLO_BYTES * kind];
        random.nextBytes(nonsense);
        ByteBuffer words = ByteBuffer.wrap(nonsense);
        if (kind == 2) {
            words.putInt(0, MAGIC).putInt(4, VERSION).putInt(16, made.get() % 4).putInt(20, 0);
        }
        return words;
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // It is gone.
        }
    }

    /** How many connections were tried so far. */
    int made() {
        return made.get();
    }

    @Override
    public void close() {
        timer.close();
        open.forEach(Strangers::close);
    }
}
