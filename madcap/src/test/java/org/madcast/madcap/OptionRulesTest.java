package org.madcast.madcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.OptionRules.Form;

class OptionRulesTest {

    private static final Map<String, Message> GOLDEN = GoldenMessages.all();

    /** The MUSTs of table 5, by column instead of by row. */
    private static final Map<Form, Set<Option.Kind>> DEMANDED =
            Map.ofEntries(
                    Map.entry(
                            Form.GETINFO,
                            Set.of(Option.Kind.LEASE_IDENTIFIER, Option.Kind.OPTION_REQUEST_LIST)),
                    Map.entry(Form.ACK_TO_GETINFO, replied()),
                    Map.entry(
                            Form.DISCOVER,
                            Set.of(Option.Kind.LEASE_IDENTIFIER, Option.Kind.MULTICAST_SCOPE)),
                    Map.entry(
                            Form.OFFER,
                            replied(Option.Kind.LEASE_TIME, Option.Kind.MULTICAST_SCOPE)),
                    Map.entry(
                            Form.REQUEST,
                            Set.of(Option.Kind.LEASE_IDENTIFIER, Option.Kind.MULTICAST_SCOPE)),
                    Map.entry(Form.ACK_TO_REQUEST, granted()),
                    Map.entry(Form.RENEW, Set.of(Option.Kind.LEASE_IDENTIFIER)),
                    Map.entry(Form.ACK_TO_RENEW, granted()),
                    Map.entry(Form.RELEASE, Set.of(Option.Kind.LEASE_IDENTIFIER)),
                    Map.entry(Form.ACK_TO_RELEASE, replied()),
                    Map.entry(Form.NAK, replied(Option.Kind.ERROR)));

    private static Set<Option.Kind> granted() {
        return replied(
                Option.Kind.LEASE_TIME,
                Option.Kind.MULTICAST_SCOPE,
                Option.Kind.ADDRESS_RANGE_LIST);
    }

    private static Set<Option.Kind> replied(Option.Kind... others) {
        Set<Option.Kind> kinds =
                EnumSet.of(Option.Kind.SERVER_IDENTIFIER, Option.Kind.LEASE_IDENTIFIER);
        kinds.addAll(Set.of(others));
        return kinds;
    }

    private static Form form(String golden) {
        return switch (golden) {
            case "discover", "discover-ipv6" -> Form.DISCOVER;
            case "offer" -> Form.OFFER;
            case "request" -> Form.REQUEST;
            case "ack-to-request", "ack-retry-after", "ack-to-request-ipv6" -> Form.ACK_TO_REQUEST;
            case "renew" -> Form.RENEW;
            case "ack-to-renew-future" -> Form.ACK_TO_RENEW;
            case "release" -> Form.RELEASE;
            case "ack-to-release" -> Form.ACK_TO_RELEASE;
            case "getinfo", "getinfo-unknown-option" -> Form.GETINFO;
            case "ack-to-getinfo" -> Form.ACK_TO_GETINFO;
            default -> Form.NAK;
        };
    }

    @Test
    void goldenMessagesAreWithinTheRules() {
        GOLDEN.forEach((name, message) ->
                assertThat(OptionRules.violation(form(name), message)).as(name).isEmpty());
    }

    @Test
    void eachDemandedOptionIsMissed() {
        GOLDEN.forEach((name, message) -> {
            for (Option.Kind kind : Option.Kind.values()) {
                boolean isDemanded =
                        Objects.requireNonNull(DEMANDED.get(form(name))).contains(kind);
                Message without =
                        new Message(
                                message.type(),
                                message.family(),
                                message.xid(),
                                message.options().stream()
                                        .filter(option -> option.code() != kind.code())
                                        .toList());
                boolean isNeededTime =
                        kind == Option.Kind.CURRENT_TIME
                                && message.options().stream()
                                        .anyMatch(option ->
                                                Set.of(6, 13, 15).contains(option.code()));
                assertThat(OptionRules.violation(form(name), without).orElse(null))
                        .as("%s without %s", name, kind)
                        .isEqualTo(isDemanded || isNeededTime ? kind : null);
            }
        });
    }

    @Test
    void anOptionThatMustNotBeThereIsNoticed() {
        Message release = Objects.requireNonNull(GOLDEN.get("release"));
        assertThat(OptionRules.violation(Form.RELEASE, release.with(GoldenMessages.NOW)))
                .contains(Option.Kind.CURRENT_TIME);
        Message renew = Objects.requireNonNull(GOLDEN.get("renew"));
        assertThat(
                        OptionRules.violation(
                                Form.RENEW, renew.with(new Option.NumberOfAddresses(1, 1))))
                .contains(Option.Kind.NUMBER_OF_ADDRESSES);
        assertThat(OptionRules.violation(Form.RENEW, renew.with(GoldenMessages.SCOPE)))
                .contains(Option.Kind.MULTICAST_SCOPE);
    }
}
