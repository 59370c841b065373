package org.madcast.allocator.madcap;

import java.net.InetAddress;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;

/**
 * An admitted request that changes leases.
 *
 * @param message the request
 * @param leaseId its lease identifier
 * @param scope the scope that it names, or, for messages that name none, an empty string
 * @param server the identifier of the server that it was sent to
 * @param client its source; of an address of a link (RFC 4007), without the link
 */
record MadcapRequest(
        Message message, LeaseId leaseId, String scope, String server, InetAddress client) {

    /** The database's addresses have no zones: {@code fe80::1%2} is none. */
    MadcapRequest {
        String text = client.getHostAddress();
        int zone = text.indexOf('%');
        client = zone < 0 ? client : InetAddress.ofLiteral(text.substring(0, zone));
    }

    /** Whether it names addresses, which the service grants only where they are held already. */
    boolean wantsCertainAddresses() {
        Option.AddressRangeList wanted = message.find(Option.AddressRangeList.class);
        return wanted != null && !wanted.ranges().isEmpty();
    }
}
