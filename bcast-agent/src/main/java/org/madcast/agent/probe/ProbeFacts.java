package org.madcast.agent.probe;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.net.InetAddress;
import java.util.List;

/**
 * How a node is attached to the network.
 *
 * @param node its name
 * @param interfaceName the interface that it uses for multicast
 * @param leadingInterface the interface that leads to the prober
 * @param address where it can be reached by unicast
 * @param port and at which port
 * @param mtuBytes of the interface
 * @param receiveBufferBytes what its sockets were granted
 * @param hearsQueriers whether it may listen for the queries of switches and routers
 * @param congestionControl the name of its TCP congestion control, empty if it is unknown, as for
 *     an agent that does not report it
 */
record ProbeFacts(
        String node,
        String interfaceName,
        String leadingInterface,
        InetAddress address,
        int port,
        int mtuBytes,
        long receiveBufferBytes,
        boolean hearsQueriers,
        String congestionControl) {

    /** What a datagram on Ethernet needs beside its content: IPv4's and UDP's headers. */
    static final int HEADERS_BYTES = 28;

    /** The largest datagram that fits into one frame. */
    int largestDatagramBytes() {
        return Math.clamp(mtuBytes - HEADERS_BYTES, 64, ProbeDatagram.MAX_BYTES);
    }

    boolean usesAnotherInterface() {
        return !interfaceName.equals(leadingInterface);
    }

    /** Whether its TCP spreads what it sends over time: all versions of BBR do. */
    boolean pacesTcp() {
        return congestionControl.startsWith("bbr");
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.put("node", node);
        json.put("interface", interfaceName);
        json.put("leadingInterface", leadingInterface);
        json.put("address", address.getHostAddress());
        json.put("port", port);
        json.put("mtuBytes", mtuBytes);
        json.put("receiveBufferBytes", receiveBufferBytes);
        json.put("hearsQueriers", hearsQueriers);
        json.put("congestionControl", congestionControl);
        return json;
    }

    static ProbeFacts of(JsonObject json) {
        return new ProbeFacts(
                json.getString("node", "?"),
                json.getString("interface", "?"),
                json.getString("leadingInterface", "?"),
                InetAddress.ofLiteral(json.getString("address", "")),
                json.getInt("port"),
                json.getInt("mtuBytes"),
                json.getLong("receiveBufferBytes"),
                json.getBoolean("hearsQueriers", Boolean.FALSE),
                json.getString("congestionControl", ""));
    }

    static JsonArray array(List<JsonObject> objects) {
        JsonArray array = new JsonArray();
        array.addAll(objects);
        return array;
    }
}
