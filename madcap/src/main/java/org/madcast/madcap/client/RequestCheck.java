package org.madcast.madcap.client;

import java.util.List;
import org.madcast.madcap.Feature;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.OptionRules;

/** What RFC 2730 demands of a client before it sends: whom it may ask what. */
final class RequestCheck {

    private RequestCheck() {}

    /**
     * @throws IllegalArgumentException when the request is not to be sent, or not to these servers
     */
    static void check(Message request, List<ServerEndpoint> servers) {
        OptionRules.violation(OptionRules.Form.ofRequest(request.type()), request)
                .ifPresent(kind -> {
                    throw new IllegalArgumentException(
                            request.type() + " against the rules for option " + kind);
                });
        if (request.features().requested().contains(Feature.RETRY_AFTER)
                || request.features().required().contains(Feature.RETRY_AFTER)) {
            throw new IllegalArgumentException(
                    "Retry After may be supported, not requested or required");
        }
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("No server to ask");
        }
        for (ServerEndpoint server : servers) {
            checkTarget(request.type(), server);
        }
        boolean changesALease =
                request.type() == MessageType.RENEW || request.type() == MessageType.RELEASE;
        if (changesALease
                && servers.size() > 1
                && !request.features().required().contains(Feature.SERVER_MOBILITY)) {
            throw new IllegalArgumentException(
                    request.type() + " at another server has to require Server Mobility");
        }
    }

    private static void checkTarget(MessageType type, ServerEndpoint server) {
        boolean fits =
                switch (type) {
                    case DISCOVER -> server.isGroup();
                    case GETINFO -> true;
                    case REQUEST, RENEW, RELEASE -> !server.isGroup();
                    case OFFER, ACK, NAK -> false;
                };
        if (!fits) {
            throw new IllegalArgumentException(type + " does not go to " + server);
        }
    }
}
