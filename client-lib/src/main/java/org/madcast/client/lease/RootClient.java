package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;

/** Another rank's side of the meeting at rank 0. One thread at a time. */
final class RootClient implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RootClient.class.getName());
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** Rank 0 names the missing ranks when its own time is over, which may be a little later. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final InetSocketAddress address;
    private final HelloMessage hello;
    private final FrameConnection connection;
    private final JsonFields welcome;

    private RootClient(
            InetSocketAddress address,
            HelloMessage hello,
            FrameConnection connection,
            JsonFields welcome) {
        this.address = address;
        this.hello = hello;
        this.connection = connection;
        this.welcome = welcome;
    }

    /**
     * Connects, again and again until the root listens, and presents this rank.
     *
     * @param config whose key, if there is one, rank 0 must know and is shown to know
     * @param left what is left of the join timeout
     * @throws JoinFailedException when the root did not listen within the time, or rank 0 refused
     */
    static RootClient present(
            InetSocketAddress address, HelloMessage hello, CommunicatorConfig config, Duration left)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + left.toNanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Duration limit = Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime()));
            try {
                return attempt(address, hello, config.key(), limit.plus(GRACE));
            } catch (IOException nobodyYet) {
                if (deadlineNs - System.nanoTime() <= pause.toNanos()) {
                    throw nobody(address, hello, config.joinTimeout(), nobodyYet);
                }
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2);
            pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        }
    }

    /** Whether a process listens at the root address, which only rank 0 should. */
    static boolean isListening(InetSocketAddress address) {
        try {
            connect(address).close();
            return true;
        } catch (IOException noneYet) {
            LOG.log(Level.TRACE, "looking for rank 0", noneYet);
            return false;
        }
    }

    private static RootClient attempt(
            InetSocketAddress address, HelloMessage hello, @Nullable JobKey key, Duration limit)
            throws IOException {
        FrameConnection connection = new FrameConnection(connect(address));
        boolean admitted = false;
        try {
            if (key == null) {
                connection.write(hello.write());
            } else {
                prove(connection, hello, key, limit);
            }
            JsonFields answer = connection.read(FrameConnection.SMALL_BYTES, limit);
            check("welcome", answer);
            admitted = true;
            return new RootClient(address, hello, connection, answer);
        } finally {
            if (!admitted) {
                connection.close();
            }
        }
    }

    /** Both sides draw a number; what is derived from them and the key proves each to the other. */
    private static void prove(
            FrameConnection connection, HelloMessage hello, JobKey key, Duration limit)
            throws IOException {
        String drawn = MeetingSeal.draw();
        JsonObject said = hello.write();
        said.put(HelloMessage.DRAWN, drawn);
        connection.write(said);
        JsonFields challenge = connection.read(FrameConnection.SMALL_BYTES, limit);
        check("challenge", challenge);
        MeetingSeal seal = MeetingSeal.of(key, drawn, challenge.text(HelloMessage.DRAWN), false);
        JsonObject proof = new JsonObject();
        proof.put("type", "proof");
        proof.put("mac", seal.proof(hello));
        connection.write(proof);
        check("proven", connection.read(FrameConnection.SMALL_BYTES, limit));
        connection.sealWith(seal);
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        boolean connected = false;
        try {
            InetAddress resolved = InetAddress.getByName(address.getHostString());
            socket.connect(
                    new InetSocketAddress(resolved, address.getPort()),
                    (int) CONNECT_TIMEOUT.toMillis());
            if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
                throw new IOException("connected to itself, because no process listens");
            }
            connected = true;
            return socket;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private static JoinFailedException nobody(
            InetSocketAddress address, HelloMessage hello, Duration timeout, IOException cause) {
        return new JoinFailedException(
                ("rank %d did not reach rank 0 at %s within %d ms (%s); is rank 0 of job '%s'"
                                + " running, and does MADCAST_ROOT name its address?")
                        .formatted(
                                hello.rank(),
                                CommunicatorConfig.hostAndPort(address),
                                timeout.toMillis(),
                                cause.getMessage(),
                                hello.job()),
                cause);
    }

    /** Passes a message of this type; a refusal ends the joining; anything else is a stranger's. */
    private static void check(String type, JsonFields answer) throws IOException {
        String actual = answer.text("type");
        if (actual.equals("refused")) {
            throw new JoinFailedException(answer.text("reason"), null);
        }
        if (!actual.equals(type)) {
            throw new IOException("no " + type + " but '" + actual + "' came");
        }
    }

    /** What rank 0 sent when it admitted this one. */
    JsonFields welcome() {
        return welcome;
    }

    /** Tells where this rank is and waits for the table of all. */
    List<Member> meet(Member self, Duration timeout) {
        try {
            connection.write(self.write());
            JsonFields answer = connection.read(FrameConnection.TABLE_BYTES, timeout.plus(GRACE));
            check("members", answer);
            List<@Nullable Member> table =
                    Member.readTable(answer.children("members"), hello.size());
            if (!Ranks.missing(table).isEmpty()) {
                throw new IOException("rank 0's table lacks " + Ranks.name(Ranks.missing(table)));
            }
            return table.stream().map(Objects::requireNonNull).toList();
        } catch (IOException lost) {
            throw new JoinFailedException(
                    "rank 0 at %s did not say within %d ms that all %d ranks are there (%s)"
                            .formatted(
                                    CommunicatorConfig.hostAndPort(address),
                                    timeout.toMillis(),
                                    hello.size(),
                                    lost.getMessage()),
                    lost);
        } finally {
            connection.close();
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
