package mpi;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where other jobs connect: a TCP port of this process. Its name has the address and a secret,
 * without which a connection is refused. Any thread may call any method.
 */
final class Port implements AutoCloseable {

    private static final String CONNECT = "madcast mpi connect 1";
    private static final String ACCEPT = "madcast mpi accept 1";
    private static final Pattern NAME =
            Pattern.compile("madcast-port:\\[?([^\\[\\]#]+)]?:(\\d{1,5})#([0-9a-f]{32})");
    private static final int BACKLOG = 64;
    private static final int SECRET_BYTES = 16;

    /** How long a connection may take to show the secret, or to be made. */
    private static final int PATIENCE_MS = 5000;

    private static final Map<String, Port> OPEN = new ConcurrentHashMap<>();

    private final ServerSocket server;
    private final String name;
    private final String secret;
    private volatile String closed = "the port was closed";

    private Port(ServerSocket server, String secret) {
        this.server = server;
        this.secret = secret;
        this.name =
                "madcast-port:%s#%s"
                        .formatted(
                                endpoint(server.getInetAddress(), server.getLocalPort()), secret);
    }

    /** A TCP port that is free there now, for another to listen at. */
    static int free(InetAddress address) {
        try (ServerSocket free = new ServerSocket(0, 1, address)) {
            return free.getLocalPort();
        } catch (IOException failed) {
            throw new MPIException(
                    ErrorClass.PORT, "no port is free: " + failed.getMessage(), failed);
        }
    }

    /** An address and a port as one word. */
    static String endpoint(InetAddress address, int port) {
        String host = address.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** As an info object says it: by default any port at this process's address. */
    static Port open(Info info) {
        String address = info.get("ip_address");
        String number = info.get("ip_port");
        try {
            return open(
                    address == null
                            ? Environment.current().address()
                            : InetAddress.ofLiteral(address),
                    number == null ? 0 : Integer.parseInt(number));
        } catch (IllegalArgumentException wrong) {
            throw new MPIException(
                    ErrorClass.INFO_VALUE,
                    "ip_address '%s' or ip_port '%s' is wrong: %s"
                            .formatted(address, number, wrong.getMessage()),
                    wrong);
        }
    }

    /**
     * A port that is open until it is closed.
     *
     * @param number its TCP port; 0 for any
     */
    static Port open(InetAddress address, int number) {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        try {
            Port made =
                    new Port(
                            new ServerSocket(number, BACKLOG, address),
                            HexFormat.of().formatHex(secret));
            OPEN.put(made.name, made);
            return made;
        } catch (IOException failed) {
            throw new MPIException(
                    ErrorClass.PORT,
                    "no port can be opened at %s:%d: %s"
                            .formatted(address.getHostAddress(), number, failed.getMessage()),
                    failed);
        }
    }

    /** The open port of a name. */
    static Port of(String name) {
        Port open = OPEN.get(name);
        if (open == null) {
            throw new MPIException(
                    ErrorClass.PORT, "'" + name + "' is no port that this process has open");
        }
        return open;
    }

    String name() {
        return name;
    }

    /** Ends calls that wait at it. */
    @Override
    public void close() {
        close("the port was closed");
    }

    /**
     * Ends calls that wait at it.
     *
     * @param why what they report
     */
    void close(String why) {
        closed = why;
        OPEN.remove(name);
        try {
            server.close();
        } catch (IOException gone) {
            System.getLogger(Port.class.getName())
                    .log(System.Logger.Level.TRACE, "closing a port", gone);
        }
    }

    /** Closes all that are open. */
    static void closeAll() {
        OPEN.values().forEach(Port::close);
    }

    /** Waits for a job that connects. */
    Call await() {
        while (true) {
            try {
                Socket socket = server.accept();
                Call call = Call.of(socket, secret);
                if (call != null) {
                    return call;
                }
            } catch (IOException failed) {
                String why = server.isClosed() ? closed : String.valueOf(failed.getMessage());
                throw new MPIException(ErrorClass.PORT, "no process connects: " + why, failed);
            }
        }
    }

    /**
     * A job that has connected, and waits for its answer.
     *
     * @param size how many ranks it has
     * @param service its allocation service, empty for none
     */
    record Call(Socket socket, int size, String service) {

        private static @Nullable Call of(Socket socket, String secret) throws IOException {
            boolean valid = false;
            try {
                socket.setSoTimeout(PATIENCE_MS);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                valid = in.readUTF().equals(CONNECT) && in.readUTF().equals(secret);
                return valid ? new Call(socket, in.readInt(), in.readUTF()) : null;
            } catch (IOException stranger) {
                valid = false;
                return null;
            } finally {
                if (!valid) {
                    socket.close();
                }
            }
        }

        /** Tells it where the processes meet. */
        void answer(int ownSize, Meeting meeting) {
            try (socket) {
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeUTF(ACCEPT);
                out.writeInt(ownSize);
                out.writeUTF(meeting.write());
            } catch (IOException gone) {
                throw new MPIException(ErrorClass.PORT, "the process that connected is gone", gone);
            }
        }
    }

    /** What a job that accepts answers. */
    record Answer(int size, Meeting meeting) {}

    /** Connects to a port of a job, and waits until that accepts. */
    static Answer connect(String port, int ownSize, String service) {
        Matcher matcher = NAME.matcher(port == null ? "" : port);
        if (!matcher.matches()) {
            throw new MPIException(
                    ErrorClass.PORT,
                    "'" + port + "' is no name of a port such as openPort() returns");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address(matcher), PATIENCE_MS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeUTF(CONNECT);
            out.writeUTF(matcher.group(3));
            out.writeInt(ownSize);
            out.writeUTF(service);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            if (!in.readUTF().equals(ACCEPT)) {
                throw new IOException("the answer is not one of this library");
            }
            return new Answer(in.readInt(), Meeting.read(in.readUTF()));
        } catch (IOException | IllegalArgumentException failed) {
            throw new MPIException(
                    ErrorClass.PORT,
                    "no process accepts at port '%s': %s; is it still open?"
                            .formatted(port, failed.getMessage()),
                    failed);
        }
    }

    private static InetSocketAddress address(Matcher name) {
        return new InetSocketAddress(
                InetAddress.ofLiteral(name.group(1)), Integer.parseInt(name.group(2)));
    }

    /** Whether a process has a port of this name open, as far as can be found out. */
    static boolean isOpen(String port) {
        Matcher matcher = NAME.matcher(port);
        if (!matcher.matches()) {
            return true;
        }
        try (Socket socket = new Socket()) {
            socket.connect(address(matcher), PATIENCE_MS);
            return true;
        } catch (ConnectException refused) {
            return false;
        } catch (IOException | IllegalArgumentException unknown) {
            return true;
        }
    }

    /** Closes it with this reason if it is still open then. */
    void closeAfter(Duration time, String why) {
        Thread _ =
                Thread.startVirtualThread(() -> {
                    try {
                        Thread.sleep(time);
                        close(why);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                });
    }
}
