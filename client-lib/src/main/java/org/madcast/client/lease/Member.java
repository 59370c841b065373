package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;

/**
 * What a rank sends the others about itself when they meet.
 *
 * @param rank its number
 * @param endpoint the address of this one host, and the UDP port, at which its unicast datagrams
 *     arrive
 * @param receiveBufferBytes what the kernel granted its multicast socket, in bytes
 * @param datagramBytes the largest datagram that its interface carries whole, in bytes of UDP
 *     payload
 */
public record Member(
        int rank, InetSocketAddress endpoint, int receiveBufferBytes, int datagramBytes) {

    private static final InetAddress BROADCAST = InetAddress.ofLiteral("255.255.255.255");

    /** Refuses an address that is not one host's. */
    public Member {
        InetAddress address = endpoint.getAddress();
        if (address == null
                || address.isMulticastAddress()
                || address.isAnyLocalAddress()
                || address.equals(BROADCAST)) {
            throw new IllegalArgumentException(
                    "rank %d gives %s as its address, which is not the address of one host"
                            .formatted(rank, CommunicatorConfig.hostAndPort(endpoint)));
        }
    }

    /** As JSON, the same towards the service and between ranks. */
    JsonObject write() {
        JsonObject object = new JsonObject();
        object.put("address", JsonFields.literal(endpoint.getAddress()));
        object.put("port", endpoint.getPort());
        object.put("receiveBufferBytes", receiveBufferBytes);
        object.put("datagramBytes", datagramBytes);
        return object;
    }

    static Member read(JsonFields fields, int rank) throws IOException {
        InetSocketAddress endpoint = fields.socketAddress();
        int receiveBufferBytes = fields.number("receiveBufferBytes", 0, Integer.MAX_VALUE);
        int datagramBytes = fields.number("datagramBytes", 0, 65_535);
        try {
            return new Member(rank, endpoint, receiveBufferBytes, datagramBytes);
        } catch (IllegalArgumentException notOneHost) {
            throw new IOException(notOneHost.getMessage(), notOneHost);
        }
    }

    /** All members of a communicator of this size, by rank; null for one that is not there yet. */
    static List<@Nullable Member> readTable(List<JsonFields> elements, int size)
            throws IOException {
        List<@Nullable Member> table = new ArrayList<>(Collections.nCopies(size, null));
        for (JsonFields element : elements) {
            int rank = element.number("rank", 0, size - 1);
            table.set(rank, read(element, rank));
        }
        return table;
    }
}
