package org.madcast.allocator.madcap;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.madcap.LeaseTerms.Decision;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;
import org.madcast.madcap.Option;

class LeaseTermsTest {

    private static final long NOW = 1_000_000;
    private static final LeaseTerms.Limits LIMITS = new LeaseTerms.Limits(1000, 10);

    @Test
    void withoutOptionsItIsTheLongestLeaseAtOnceOfOneAddress() {
        assertThat(decide()).isEqualTo(possible(null, 0, 1000, 1, 1));
    }

    @Test
    void aLeaseIsCutToTheLongestUnlessTheClientWantsMore() {
        assertThat(decide(new Option.LeaseTime(999))).isEqualTo(possible(null, 0, 999, 1, 1));
        assertThat(decide(new Option.LeaseTime(5000))).isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(new Option.LeaseTime(5000), new Option.MinimumLeaseTime(1000)))
                .isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(new Option.LeaseTime(5000), new Option.MinimumLeaseTime(1001)))
                .isEqualTo(impossible(Option.Kind.MINIMUM_LEASE_TIME));
        assertThat(decide(new Option.LeaseTime(5), new Option.MinimumLeaseTime(6)))
                .isEqualTo(invalid(Option.Kind.MINIMUM_LEASE_TIME));
        assertThat(decide(new Option.LeaseTime(0))).isEqualTo(invalid(Option.Kind.LEASE_TIME));
    }

    @Test
    void theWayToTheStartCountsAndAPassedStartIsNow() {
        assertThat(decide(time(NOW), new Option.StartTime(NOW + 400)))
                .isEqualTo(possible(NOW + 400, 400, 600, 1, 1));
        assertThat(decide(time(NOW), new Option.StartTime(NOW)))
                .isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(time(NOW), new Option.StartTime(NOW - 50)))
                .isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(time(NOW), new Option.StartTime(NOW + 1000)))
                .isEqualTo(impossible(Option.Kind.START_TIME));
        assertThat(
                        decide(
                                time(NOW),
                                new Option.StartTime(NOW + 400),
                                new Option.MinimumLeaseTime(601)))
                .isEqualTo(impossible(Option.Kind.MINIMUM_LEASE_TIME));
    }

    @Test
    void theLatestStartIsJudgedByTheEarlierClock() {
        assertThat(decide(time(NOW), new Option.MaximumStartTime(NOW)))
                .isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(time(NOW - 60), new Option.MaximumStartTime(NOW - 60)))
                .isEqualTo(possible(null, 0, 1000, 1, 1));
        assertThat(decide(time(NOW - 60), new Option.MaximumStartTime(NOW - 61)))
                .isEqualTo(impossible(Option.Kind.MAXIMUM_START_TIME));
        assertThat(
                        decide(
                                time(NOW),
                                new Option.StartTime(NOW + 5),
                                new Option.MaximumStartTime(NOW + 4)))
                .isEqualTo(invalid(Option.Kind.MAXIMUM_START_TIME));
    }

    @Test
    void theNumberOfAddressesIsCutButNotBelowTheMinimum() {
        assertThat(decide(new Option.NumberOfAddresses(0, 3)))
                .isEqualTo(possible(null, 0, 1000, 1, 3));
        assertThat(decide(new Option.NumberOfAddresses(2, 3000)))
                .isEqualTo(possible(null, 0, 1000, 2, 10));
        assertThat(decide(new Option.NumberOfAddresses(11, 11)))
                .isEqualTo(impossible(Option.Kind.NUMBER_OF_ADDRESSES));
        assertThat(decide(new Option.NumberOfAddresses(0, 0)))
                .isEqualTo(invalid(Option.Kind.NUMBER_OF_ADDRESSES));
    }

    private static Option time(long epochSeconds) {
        return new Option.CurrentTime(epochSeconds);
    }

    private static Decision decide(Option... options) {
        Message request =
                Message.of(
                        MessageType.REQUEST,
                        AddressFamily.IPV4,
                        1,
                        new LeaseId(Octets.of((byte) 9)),
                        options);
        Message whole = request.with(new Option.MulticastScope(NetAddress.parse("239.255.0.0")));
        return LeaseTerms.decide(whole, LIMITS, NOW);
    }

    private static Decision possible(
            @Nullable Long start, long delay, long seconds, int minimum, int desired) {
        return new Decision.Possible(new LeaseTerms(start, delay, seconds, minimum, desired));
    }

    private static Decision impossible(Option.Kind kind) {
        return new Decision.Impossible(new MadcapError.CouldNotBeCompleted(kind.code()));
    }

    private static Decision invalid(Option.Kind kind) {
        return new Decision.Impossible(new MadcapError.InvalidRequest(kind.code()));
    }
}
