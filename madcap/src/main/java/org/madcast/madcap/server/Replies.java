package org.madcast.madcap.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;

/**
 * Makes what a server answers: the request's xid, family and lease identifier, the server's own
 * identifier, and a feature list when the request had one (RFC 2730, sections 2.2.5, 2.2.6 and
 * 3.13). Immutable.
 */
public final class Replies {

    private final NetAddress serverId;
    private final Set<Feature> features;

    /** Replies of one server, which supports these features. */
    public Replies(NetAddress serverId, Set<Feature> features) {
        this.serverId = serverId;
        this.features = Set.copyOf(features);
    }

    /**
     * An OFFER or an ACK.
     *
     * @param implemented the features that were used, each mentioned by the request
     * @param options what there is to say beyond the identifiers and the features
     */
    public Message reply(
            MessageType type, Message request, Set<Feature> implemented, Option... options) {
        if (!type.isReply()) {
            throw new IllegalArgumentException(type + " is sent by clients");
        }
        for (Feature feature : implemented) {
            if (!features.contains(feature) || !request.features().mentions(feature)) {
                throw new IllegalArgumentException(feature + " was not agreed on");
            }
        }
        LeaseId leaseId = request.leaseId();
        if (leaseId == null) {
            throw new IllegalArgumentException("A request without a lease identifier: " + request);
        }
        List<Option> all = new ArrayList<>(List.of(options));
        all.add(new Option.ServerIdentifier(serverId));
        if (request.has(Option.FeatureList.class)) {
            all.add(new Option.FeatureList(features, Set.of(), implemented));
        }
        return Message.of(
                type, request.family(), request.xid(), leaseId, all.toArray(Option[]::new));
    }

    /** A NAK to a message that could be read. */
    public Message nak(Message request, MadcapError error) {
        return reply(MessageType.NAK, request, Set.of(), error.toOption());
    }

    /** A NAK to a message of which only this could be read. */
    public Message nak(AddressFamily family, int xid, LeaseId leaseId, MadcapError error) {
        return Message.of(
                MessageType.NAK,
                family,
                xid,
                leaseId,
                new Option.ServerIdentifier(serverId),
                error.toOption());
    }
}
