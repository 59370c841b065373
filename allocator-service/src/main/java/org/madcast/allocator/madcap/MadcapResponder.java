package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.madcast.allocator.madcap.ServedZones.Served;
import org.madcast.allocator.store.SqlTime;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.server.Replies;
import org.springframework.stereotype.Component;

/** Serves admitted requests and words the replies. From any thread. */
@Component
class MadcapResponder {

    private final MadcapService leases;
    private final SqlTime time;

    MadcapResponder(MadcapService leases, SqlTime time) {
        this.leases = leases;
        this.time = time;
    }

    /**
     * Serves a request.
     *
     * @param request what {@link org.madcast.madcap.server.ServerAdmission} admitted
     * @param serverId the address of this server that was asked, or that its client can reach
     * @return the reply
     */
    Message answer(Message request, ServedZones zones, NetAddress serverId, InetAddress client) {
        Replies replies = new Replies(serverId, ServedZones.FEATURES);
        if (request.type() == MessageType.GETINFO) {
            return leases.isOfAnotherFamily(request)
                    ? replies.nak(
                            request,
                            new MadcapError.InvalidRequest(Option.Kind.LEASE_IDENTIFIER.code()))
                    : information(request, zones, replies);
        }
        Option.MulticastScope named = request.find(Option.MulticastScope.class);
        Optional<Served> served = named == null ? Optional.empty() : zones.find(named.scopeId());
        LeaseId leaseId = Objects.requireNonNull(request.leaseId(), "admitted without");
        MadcapOutcome outcome =
                leases.serve(
                        new MadcapRequest(
                                request,
                                leaseId,
                                served.map(Served::scope).orElse(""),
                                serverId.toString(),
                                client));
        return reply(request, outcome, zones, replies);
    }

    private static Message reply(
            Message request, MadcapOutcome outcome, ServedZones zones, Replies replies) {
        Set<Feature> used = used(request);
        MessageType done =
                request.type() == MessageType.DISCOVER ? MessageType.OFFER : MessageType.ACK;
        return switch (outcome) {
            case MadcapOutcome.Granted granted ->
                    replies.reply(done, request, used, terms(request, granted, zones));
            case MadcapOutcome.Later later -> {
                Set<Feature> usedToWait = new HashSet<>(used);
                usedToWait.add(Feature.RETRY_AFTER);
                yield replies.reply(
                        done,
                        request,
                        usedToWait,
                        new Option.LeaseTime(later.leaseSeconds()),
                        scope(request, List.of(), zones),
                        new Option.AddressRangeList(List.of()),
                        new Option.CurrentTime(later.nowEpochSeconds()),
                        new Option.RetryTime(later.retryEpochSeconds()));
            }
            case MadcapOutcome.Released() -> replies.reply(done, request, used);
            case MadcapOutcome.Refused refused -> replies.nak(request, refused.error());
        };
    }

    private static Option[] terms(
            Message request, MadcapOutcome.Granted granted, ServedZones zones) {
        List<NetAddress> firsts = granted.ranges().stream().map(range -> range.first()).toList();
        List<Option> options = new ArrayList<>();
        options.add(new Option.LeaseTime(granted.leaseSeconds()));
        options.add(scope(request, firsts, zones));
        options.add(new Option.AddressRangeList(granted.ranges()));
        Long start = granted.startEpochSeconds();
        if (start != null) {
            options.add(new Option.StartTime(start));
            options.add(new Option.CurrentTime(granted.nowEpochSeconds()));
        }
        return options.toArray(Option[]::new);
    }

    /** The scope as the request has it, or that of the addresses. */
    private static Option scope(Message request, List<NetAddress> addresses, ServedZones zones) {
        Option.MulticastScope named = request.find(Option.MulticastScope.class);
        if (named != null) {
            return named;
        }
        return zones.scopeZones().stream()
                .filter(zone -> addresses.stream().allMatch(zone::contains))
                .findFirst()
                .map(zone -> new Option.MulticastScope(zone.first()))
                .orElseGet(() -> new Option.MulticastScope(addresses.getFirst()));
    }

    /** What was asked of the features and is done here: any replica serves any lease. */
    private static Set<Feature> used(Message request) {
        Set<Feature> used = new HashSet<>(request.features().requested());
        used.addAll(request.features().required());
        used.retainAll(ServedZones.FEATURES);
        used.remove(Feature.RETRY_AFTER);
        return used;
    }

    private Message information(Message request, ServedZones zones, Replies replies) {
        Option.OptionRequestList wanted =
                Objects.requireNonNull(request.find(Option.OptionRequestList.class));
        ServedZones told = zones.ofFamily(request.family());
        List<Option> options = new ArrayList<>();
        if (wanted.codes().contains(Option.Kind.MULTICAST_SCOPE_LIST.code())) {
            options.add(new Option.MulticastScopeList(inLanguage(request, told.scopeZones())));
            // The nesting says something only beside the list that it counts (RFC 2907, 3).
            if (wanted.codes().contains(Option.Kind.SCOPE_NESTING.code())) {
                options.add(new Option.ScopeNesting(told.nesting()));
            }
        }
        if (wanted.codes().contains(Option.Kind.CURRENT_TIME.code())) {
            options.add(new Option.CurrentTime(time.now().getEpochSecond()));
        }
        Message answer =
                replies.reply(
                        MessageType.ACK, request, used(request), options.toArray(Option[]::new));
        boolean featuresAsked =
                wanted.codes().contains(Option.Kind.FEATURE_LIST.code())
                        && !request.has(Option.FeatureList.class);
        return featuresAsked
                ? answer.with(new Option.FeatureList(ServedZones.FEATURES, Set.of(), Set.of()))
                : answer;
    }

    private static List<ScopeZone> inLanguage(Message request, List<ScopeZone> zones) {
        Option.RequestedLanguage language = request.find(Option.RequestedLanguage.class);
        return language == null
                ? zones
                : zones.stream().map(zone -> zone.inLanguage(language.tag())).toList();
    }
}
