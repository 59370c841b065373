package org.madcast.agent.node;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A connection between a sender and an agent. Each says JSON objects, one a line, with a field
 * {@code type}. Any thread may say something; one listens.
 *
 * <p>It opens with a handshake in which both prove that they have the token:
 *
 * <pre>
 * agent:  {"type":"agent","version":2,"node":"h3","nonce":"..."}
 * sender: {"type":"hello","nonce":"...","proof":"..."}
 * agent:  {"type":"welcome","proof":"..."}, or {"type":"refused","reason":"..."} and the end
 * </pre>
 */
public final class NodeChannel implements AutoCloseable {

    /** Where agents listen by default. */
    public static final int DEFAULT_PORT = 8731;

    private static final int VERSION = 2;
    private static final int MAX_LINE_BYTES = 64 << 10;
    private static final Duration HANDSHAKE = Duration.ofSeconds(5);
    private static final String SENDER = "sender";
    private static final String AGENT = "agent";

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String node;

    private NodeChannel(Socket socket, InputStream in, String node) throws IOException {
        this.socket = socket;
        this.in = in;
        this.out = socket.getOutputStream();
        this.node = node;
    }

    /**
     * Connects to an agent.
     *
     * @throws RefusedException when it takes us for a stranger
     * @throws IOException when no agent answers in time, or it does not have the token
     */
    public static NodeChannel connect(InetSocketAddress address, NodeToken token, Duration timeout)
            throws IOException {
        Socket socket = new Socket();
        boolean connected = false;
        try {
            socket.connect(
                    new InetSocketAddress(find(address.getHostString()), address.getPort()),
                    (int) timeout.toMillis());
            prepare(socket);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            JsonObject agent = read(in);
            if (agent.getInt("version") != VERSION) {
                throw new IOException("what listens there is not an agent of this version");
            }
            NodeChannel channel = new NodeChannel(socket, in, agent.getString("node", "?"));
            channel.introduce(agent.getString("nonce", ""), token);
            connected = true;
            return channel;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private static InetAddress find(String host) throws UnknownHostException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            UnknownHostException said = new UnknownHostException("no host of this name is known");
            said.initCause(e);
            throw said;
        }
    }

    private void introduce(String agentNonce, NodeToken token) throws IOException {
        String nonce = NodeToken.nonce();
        JsonObject hello = message("hello");
        hello.put("nonce", nonce);
        hello.put("proof", token.proof(SENDER, agentNonce, nonce));
        say(hello);
        JsonObject answer = read(in);
        if (!type(answer).equals("welcome")) {
            throw new RefusedException(
                    "it refuses: " + answer.getString("reason", "no reason given"));
        }
        if (!token.isProof(answer.getString("proof", ""), AGENT, agentNonce, nonce)) {
            throw new IOException("what listens there does not have the token");
        }
        socket.setSoTimeout(0);
    }

    /**
     * The agent's side of a connection that a sender opened.
     *
     * @param node what the agent's node is called
     * @throws IOException when the sender does not have the token, or breaks off; the socket is
     *     closed then
     */
    public static NodeChannel accept(Socket socket, String node, NodeToken token)
            throws IOException {
        boolean accepted = false;
        try {
            prepare(socket);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            NodeChannel channel = new NodeChannel(socket, in, node);
            String nonce = NodeToken.nonce();
            JsonObject agent = message("agent");
            agent.put("version", VERSION);
            agent.put("node", node);
            agent.put("nonce", nonce);
            channel.say(agent);
            JsonObject hello = read(in);
            String senderNonce = hello.getString("nonce", "");
            if (!token.isProof(hello.getString("proof", ""), SENDER, nonce, senderNonce)) {
                JsonObject refused = message("refused");
                refused.put("reason", "this is not the agent's token");
                channel.say(refused);
                throw new IOException("wrong token");
            }
            JsonObject welcome = message("welcome");
            welcome.put("proof", token.proof(AGENT, nonce, senderNonce));
            channel.say(welcome);
            socket.setSoTimeout(0);
            accepted = true;
            return channel;
        } finally {
            if (!accepted) {
                socket.close();
            }
        }
    }

    private static void prepare(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoTimeout((int) HANDSHAKE.toMillis());
    }

    /** A message of this type, to be filled. */
    public static JsonObject message(String type) {
        JsonObject message = new JsonObject();
        message.put("type", type);
        return message;
    }

    /** The message's type. */
    public static String type(JsonObject message) {
        return message.getString("type", "");
    }

    /** What the agent calls its node. */
    public String node() {
        return node;
    }

    /** This side's address of the connection. */
    public InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /** The other side's address. */
    public InetAddress remoteAddress() {
        return socket.getInetAddress();
    }

    /** The other side's address and port. */
    public String peer() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    }

    /** Says something. */
    public void say(JsonObject message) throws IOException {
        byte[] line = (JsonWriter.string(message) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            out.write(line);
            out.flush();
        }
    }

    /**
     * Waits for what the other side says next.
     *
     * @throws EOFException when it is gone
     */
    public JsonObject hear() throws IOException {
        return read(in);
    }

    /** From now on {@link #hear} times out after this time; zero lets it wait for ever. */
    public void waitAtMost(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
    }

    private static JsonObject read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended");
            }
            if (line.size() >= MAX_LINE_BYTES) {
                throw new IOException("a line is longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(next);
        }
        try {
            return JsonParser.object().from(line.toString(StandardCharsets.UTF_8));
        } catch (JsonParserException e) {
            throw new IOException("what listens there does not speak the agents' protocol", e);
        }
    }

    /** An agent is there and wants nothing of this sender. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // It is of no use any more either way.
        }
    }
}
