package org.madcast.madcap.server;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.OptionRules;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.server.Admission.Admitted;
import org.madcast.madcap.server.Admission.DropReason;
import org.madcast.madcap.server.Admission.Dropped;
import org.madcast.madcap.server.Admission.HoldEnded;
import org.madcast.madcap.server.Admission.Refused;

/**
 * Decides what is served, what is refused and what is met with silence (RFC 2730). The order:
 *
 * <ol>
 *   <li>no message, a server's message, no lease identifier: silence (2.1, 2.6, 2.2.6);
 *   <li>an unknown type, wrong contents, options against table 5, a start, retry or maximum start
 *       time without the current time: error 1 (2.1.5, 2.2, 2.12);
 *   <li>a RENEW or RELEASE by multicast, a scope that is not served there, a GETINFO at another
 *       group: silence (2.2.7, 2.2.8, 2.11); a unicast DISCOVER: error 1 (2.2.2);
 *   <li>a multicast REQUEST that names no server: error 1; that names another: an end of the hold
 *       (2.2.3); a unicast one that names another, or a scope that is not served: errors 1 and 0;
 *   <li>clocks too far apart: error 2 (2.12);
 *   <li>Retry After requested or required: error 1 (2.13.2); a required feature that is not
 *       supported: error 4 (3.13).
 * </ol>
 *
 * Retransmissions are not recognised here; look a request up in the response cache first, after the
 * decoding. Immutable; may be called from any thread.
 */
public final class ServerAdmission {

    private final ServerPolicy policy;
    private final Replies replies;

    /** The rules for one server. */
    public ServerAdmission(ServerPolicy policy) {
        this.policy = policy;
        this.replies = new Replies(policy.identifiers().getFirst(), policy.features());
    }

    /**
     * Decides about one datagram.
     *
     * @param nowEpochSeconds the server's time, since 1970
     */
    public Admission judge(DecodeResult datagram, RequestTarget arrival, long nowEpochSeconds) {
        return switch (datagram) {
            case DecodeResult.Rejected _ -> new Dropped(DropReason.UNREADABLE);
            case DecodeResult.Invalid invalid -> judgeInvalid(invalid);
            case DecodeResult.Decoded(Message message) ->
                    judgeMessage(message, arrival, nowEpochSeconds);
        };
    }

    private Admission judgeInvalid(DecodeResult.Invalid invalid) {
        MessageType type = MessageType.ofCode(invalid.typeCode());
        if (type != null && type.isReply()) {
            return new Dropped(DropReason.SERVERS_MESSAGE);
        }
        LeaseId leaseId = invalid.leaseId();
        if (leaseId == null) {
            return new Dropped(DropReason.NO_LEASE_ID);
        }
        return new Refused(
                replies.nak(
                        new AddressFamily(invalid.familyCode()),
                        invalid.xid(),
                        leaseId,
                        new MadcapError.InvalidRequest(invalid.optionCode())));
    }

    private Admission judgeMessage(Message message, RequestTarget arrival, long nowEpochSeconds) {
        if (message.type().isReply()) {
            return new Dropped(DropReason.SERVERS_MESSAGE);
        }
        LeaseId leaseId = message.leaseId();
        if (leaseId == null) {
            return new Dropped(DropReason.NO_LEASE_ID);
        }
        Optional<Option.Kind> violation =
                OptionRules.violation(OptionRules.Form.ofRequest(message.type()), message);
        if (violation.isPresent()) {
            return invalid(message, violation.get().code());
        }
        NetAddress group = arrival.group();
        Optional<Admission> misdirected =
                group == null ? judgeUnicast(message) : judgeMulticast(message, leaseId, group);
        return misdirected
                .or(() -> judgeClock(message, nowEpochSeconds))
                .or(() -> judgeFeatures(message))
                .orElseGet(() -> new Admitted(message));
    }

    private Optional<Admission> judgeMulticast(Message message, LeaseId leaseId, NetAddress group) {
        if (message.type() == MessageType.RENEW || message.type() == MessageType.RELEASE) {
            return Optional.of(new Dropped(DropReason.NOT_FOR_A_GROUP));
        }
        if (message.type() == MessageType.GETINFO) {
            return policy.informationGroups().contains(group)
                    ? Optional.empty()
                    : Optional.of(new Dropped(DropReason.GROUP_WITHOUT_INFORMATION));
        }
        Option.MulticastScope scope = message.find(Option.MulticastScope.class);
        if (scope == null || !policy.serves(scope.scopeId(), group)) {
            return Optional.of(new Dropped(DropReason.SCOPE_NOT_SERVED));
        }
        if (message.type() == MessageType.REQUEST) {
            NetAddress serverId = message.serverId();
            if (serverId == null) {
                return Optional.of(invalid(message, Option.Kind.SERVER_IDENTIFIER.code()));
            }
            if (!policy.identifiers().contains(serverId)) {
                return Optional.of(new HoldEnded(leaseId));
            }
        }
        return Optional.empty();
    }

    private Optional<Admission> judgeUnicast(Message message) {
        if (message.type() == MessageType.DISCOVER) {
            return Optional.of(invalid(message, Option.Kind.NO_OPTION));
        }
        NetAddress serverId = message.serverId();
        if (serverId != null && !policy.identifiers().contains(serverId)) {
            return Optional.of(invalid(message, Option.Kind.SERVER_IDENTIFIER.code()));
        }
        Option.MulticastScope scope = message.find(Option.MulticastScope.class);
        if (scope != null && policy.zoneOf(scope.scopeId()) < 0) {
            int code = Option.Kind.MULTICAST_SCOPE.code();
            return Optional.of(refuse(message, new MadcapError.CouldNotBeCompleted(code)));
        }
        return Optional.empty();
    }

    private Optional<Admission> judgeClock(Message message, long nowEpochSeconds) {
        Option.CurrentTime theirs = message.find(Option.CurrentTime.class);
        if (theirs == null) {
            return Optional.empty();
        }
        long skewSeconds = Math.abs(nowEpochSeconds - theirs.epochSeconds());
        return skewSeconds <= policy.clockSkewAllowance().toSeconds()
                ? Optional.empty()
                : Optional.of(refuse(message, new MadcapError.ExcessiveClockSkew(nowEpochSeconds)));
    }

    private Optional<Admission> judgeFeatures(Message message) {
        Option.FeatureList features = message.features();
        if (features.requested().contains(Feature.RETRY_AFTER)
                || features.required().contains(Feature.RETRY_AFTER)) {
            return Optional.of(invalid(message, Option.Kind.FEATURE_LIST.code()));
        }
        Set<Feature> missing =
                features.required().stream()
                        .filter(feature -> !policy.features().contains(feature))
                        .collect(Collectors.toUnmodifiableSet());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(refuse(message, new MadcapError.FeatureNotSupported(missing)));
    }

    private Refused invalid(Message message, int optionCode) {
        return refuse(message, new MadcapError.InvalidRequest(optionCode));
    }

    private Refused refuse(Message message, MadcapError error) {
        return new Refused(replies.nak(message, error));
    }
}
