package org.madcast.madcap.client;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.OptionRules;

/** Whether a message answers a request, and within the rules and the request's own limits. */
final class ReplyCheck {

    private ReplyCheck() {}

    /** Why to ignore a message, nothing when it is a good answer. */
    static Optional<Ignored> fault(Message request, Message reply) {
        MessageType expected =
                request.type() == MessageType.DISCOVER ? MessageType.OFFER : MessageType.ACK;
        if (reply.type() != expected && reply.type() != MessageType.NAK) {
            return Optional.of(Ignored.UNEXPECTED_TYPE);
        }
        if (reply.xid() != request.xid() || !Objects.equals(reply.leaseId(), request.leaseId())) {
            return Optional.of(Ignored.OTHER_TRANSACTION);
        }
        NetAddress asked = request.serverId();
        if (asked != null && reply.serverId() != null && !asked.equals(reply.serverId())) {
            return Optional.of(Ignored.OTHER_SERVER);
        }
        if (!isWithinRules(request, reply)) {
            return Optional.of(Ignored.AGAINST_THE_RULES);
        }
        boolean acceptable =
                reply.type() == MessageType.NAK
                        || (hasRequiredFeatures(request, reply)
                                && hasAcceptableTerms(request, reply)
                                && hasAcceptableAddresses(request, reply));
        return acceptable ? Optional.empty() : Optional.of(Ignored.UNACCEPTABLE_TERMS);
    }

    /** Whether a good ACK asks the client to come back later (section 2.13.2). */
    static boolean isPostponement(Message reply) {
        return reply.has(Option.RetryTime.class);
    }

    private static boolean isWithinRules(Message request, Message reply) {
        OptionRules.Form form =
                reply.type() == MessageType.NAK
                        ? OptionRules.Form.NAK
                        : OptionRules.Form.ofRequest(request.type()).answer();
        return OptionRules.violation(form, reply).isEmpty()
                && reply.features().requested().isEmpty()
                && reply.features().required().stream().allMatch(request.features()::mentions)
                && (!isPostponement(reply) || isAgreedPostponement(request, reply));
    }

    private static boolean isAgreedPostponement(Message request, Message reply) {
        Option.AddressRangeList list = reply.find(Option.AddressRangeList.class);
        return request.features().supported().contains(Feature.RETRY_AFTER)
                && reply.features().required().contains(Feature.RETRY_AFTER)
                && list != null
                && list.ranges().isEmpty();
    }

    /**
     * Features that a request requires must be known to the server that grants it. A server that
     * supports one without saying that it used it is accepted; see {@link GrantedLease#features}.
     */
    private static boolean hasRequiredFeatures(Message request, Message reply) {
        Set<Feature> known = new HashSet<>(reply.features().supported());
        known.addAll(reply.features().required());
        return known.containsAll(request.features().required());
    }

    private static boolean hasAcceptableTerms(Message request, Message reply) {
        Option.MinimumLeaseTime minimum = request.find(Option.MinimumLeaseTime.class);
        Option.LeaseTime granted = reply.find(Option.LeaseTime.class);
        if (minimum != null && granted != null && granted.seconds() < minimum.seconds()) {
            return false;
        }
        Option.MaximumStartTime latest = request.find(Option.MaximumStartTime.class);
        Option.StartTime start = reply.find(Option.StartTime.class);
        if (latest != null && start != null && start.epochSeconds() > latest.epochSeconds()) {
            return false;
        }
        Option.MulticastScope wanted = request.find(Option.MulticastScope.class);
        Option.MulticastScope scope = reply.find(Option.MulticastScope.class);
        return wanted == null || wanted.equals(scope);
    }

    private static boolean hasAcceptableAddresses(Message request, Message reply) {
        Option.AddressRangeList list = reply.find(Option.AddressRangeList.class);
        Option.MulticastScope scope = reply.find(Option.MulticastScope.class);
        if (list == null || scope == null || isPostponement(reply)) {
            return true;
        }
        return reply.family().equals(request.family())
                && isWantedNumber(request, list.addressCount())
                && areFrom(scope, list.ranges());
    }

    private static boolean isWantedNumber(Message request, long count) {
        if (request.type() == MessageType.RENEW) {
            return count >= 1;
        }
        Option.NumberOfAddresses wanted = request.find(Option.NumberOfAddresses.class);
        int minimum = wanted == null ? 1 : Math.max(1, wanted.minimum());
        int desired = wanted == null ? 1 : wanted.desired();
        return count >= minimum && count <= desired;
    }

    /** The scope's lowest address is all that is known of it here. */
    private static boolean areFrom(Option.MulticastScope scope, List<AddressRange> ranges) {
        return scope != null
                && ranges.stream().allMatch(range -> range.first().compareTo(scope.scopeId()) >= 0);
    }
}
