package org.madcast.madcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ValuesTest {

    private static final NetAddress GROUP = NetAddress.parse("239.255.0.1");
    private static final NetAddress UNICAST = NetAddress.parse("10.0.0.1");
    private static final LeaseId ID = GoldenMessages.LEASE_ID;

    @Test
    void whatTheRfcForbidsCannotBeMade() {
        List<ThrowingCallable> mistakes =
                List.of(
                        () -> new Option.LeaseTime(-1),
                        () -> new Option.LeaseTime(1L << 32),
                        () -> new Option.StartTime(1L << 32),
                        () -> new Option.NumberOfAddresses(2, 1),
                        () -> new Option.NumberOfAddresses(0, 65536),
                        () -> new Option.OptionRequestList(List.of()),
                        () -> new Option.OptionRequestList(List.of(65536)),
                        () -> new Option.MulticastScope(UNICAST),
                        () -> new Option.RequestedLanguage("e n"),
                        () -> new Option.Unknown(17, Octets.EMPTY),
                        () -> new Option.ErrorOption(65536, Octets.EMPTY),
                        () -> new LeaseId(Octets.EMPTY),
                        () -> LeaseId.random(new byte[15]),
                        () -> new AddressRange(GROUP, 0),
                        () -> new AddressRange(UNICAST, 1),
                        () -> new AddressRange(NetAddress.parse("239.255.255.255"), 2),
                        () -> new ZoneName(false, "", "x"),
                        () -> new ZoneName(false, "en", ""),
                        () -> new ZoneName(false, "en", "\ud800"),
                        () -> new ZoneName(false, "en", "é".repeat(128)),
                        () -> new ScopeZone(GROUP, NetAddress.parse("239.255.0.0"), 1, List.of()),
                        () -> new ScopeZone(GROUP, GROUP, 256, List.of()),
                        () -> new ScopeZone(GROUP, NetAddress.parse("ff03::1"), 1, List.of()),
                        () -> new NetAddress(AddressFamily.IPV4, Octets.of(new byte[5])),
                        () -> new AddressFamily(65536),
                        () -> new Feature(-1));
        for (int i = 0; i < mistakes.size(); i++) {
            assertThatThrownBy(mistakes.get(i))
                    .as("mistake %d", i)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void scopeListHasUniqueScopesAndFitsIntoAnOption() {
        ScopeZone zone = new ScopeZone(GROUP, GROUP, 1, List.of());
        assertThatThrownBy(() -> new Option.MulticastScopeList(List.of(zone, zone)))
                .hasMessageContaining("occurs twice");
        ZoneName longest = new ZoneName(false, "x".repeat(255), "y".repeat(255));
        ScopeZone huge = new ScopeZone(GROUP, GROUP, 1, Collections.nCopies(255, longest));
        assertThatThrownBy(() -> new Option.MulticastScopeList(List.of(huge)))
                .hasMessageContaining("bytes of a scope list");
    }

    @Test
    void messageHasEachOptionOnceAndAddressesOfItsFamily() {
        Option.LeaseTime time = new Option.LeaseTime(1);
        assertThatThrownBy(
                        () -> Message.of(MessageType.RENEW, AddressFamily.IPV4, 0, ID, time, time))
                .hasMessageContaining("Option 1 occurs twice");
        Option.MulticastScope scope = new Option.MulticastScope(GROUP);
        assertThatThrownBy(() -> Message.of(MessageType.DISCOVER, AddressFamily.IPV6, 0, ID, scope))
                .hasMessageContaining("239.255.0.1 is not of");
    }

    @Test
    void addressesAreNumbers() {
        assertThat(GROUP.plus(255)).isEqualTo(NetAddress.parse("239.255.1.0"));
        assertThat(NetAddress.parse("ff03::ffff").plus(1)).isEqualTo(NetAddress.parse("ff03::1:0"));
        assertThat(NetAddress.parse("0.0.0.1").plus(-1).toString()).isEqualTo("0.0.0.0");
        assertThat(NetAddress.parse("255.255.255.254").plus(1).toString())
                .isEqualTo("255.255.255.255");
        assertThatThrownBy(() -> NetAddress.parse("255.255.255.255").plus(1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(ScopeZone.IPV4_LOCAL.serverAddress().toString()).isEqualTo("239.255.255.254");
        NetAddress mapped =
                new NetAddress(
                        AddressFamily.IPV6, Octets.ofHex("00000000000000000000ffff0a000001"));
        assertThat(mapped.toString()).isEqualTo("0:0:0:0:0:ffff:a00:1");
    }

    @Test
    void zoneGivesOneNameForALanguage() {
        ZoneName french = new ZoneName(false, "fr", "IBM Suisse");
        ZoneName english = new ZoneName(true, "en", "IBM Switzerland");
        ScopeZone zone = new ScopeZone(GROUP, GROUP, 1, List.of(french, english));
        assertThat(zone.inLanguage("FR").names()).containsExactly(french);
        assertThat(zone.inLanguage("de").names()).containsExactly(english);
        ScopeZone unmarked = new ScopeZone(GROUP, GROUP, 1, List.of(french));
        assertThat(unmarked.inLanguage("de").names()).containsExactly(french);
        ScopeZone nameless = new ScopeZone(GROUP, GROUP, 1, List.of());
        assertThat(nameless.inLanguage("de")).isEqualTo(nameless);
    }

    @Test
    void errorsKeepTheirExtraData() {
        List<MadcapError> errors =
                List.of(
                        new MadcapError.CouldNotBeCompleted(7),
                        new MadcapError.InvalidRequest(0xffff),
                        new MadcapError.ExcessiveClockSkew(0xffff_ffffL),
                        new MadcapError.LeaseNotRecognized(),
                        new MadcapError.FeatureNotSupported(Set.of(new Feature(0xfffe))),
                        new MadcapError.Other(1024, Octets.ofHex("01")));
        for (MadcapError error : errors) {
            assertThat(MadcapError.of(error.toOption())).isEqualTo(error);
        }
        assertThat(MadcapError.of(new Option.ErrorOption(0, Octets.ofHex("01"))))
                .isEqualTo(new MadcapError.Other(0, Octets.ofHex("01")));
    }
}
