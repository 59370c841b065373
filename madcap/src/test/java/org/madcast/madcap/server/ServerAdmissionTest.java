package org.madcast.madcap.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.Feature;
import org.madcast.madcap.GoldenMessages;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NestingMatrix;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;
import org.madcast.madcap.server.Admission.Admitted;
import org.madcast.madcap.server.Admission.DropReason;
import org.madcast.madcap.server.Admission.Dropped;
import org.madcast.madcap.server.Admission.HoldEnded;
import org.madcast.madcap.server.Admission.Refused;

class ServerAdmissionTest {

    private static final long NOW = GoldenMessages.NOW.epochSeconds();
    private static final LeaseId ID = GoldenMessages.LEASE_ID;
    private static final ScopeZone ORGANISATION =
            new ScopeZone(
                    NetAddress.parse("239.192.0.0"),
                    NetAddress.parse("239.195.255.255"),
                    32,
                    List.of());
    private static final RequestTarget LOCAL =
            RequestTarget.at(ScopeZone.IPV4_LOCAL.serverAddress());
    private static final RequestTarget WIDE = RequestTarget.at(ORGANISATION.serverAddress());

    /** The local scope lies in the organisation's. */
    private static final ServerPolicy POLICY =
            new ServerPolicy(
                    List.of(GoldenMessages.SERVER, NetAddress.parse("2001:db8::1")),
                    List.of(ScopeZone.IPV4_LOCAL, ORGANISATION),
                    NestingMatrix.of(2, (inner, outer) -> inner == 0 && outer == 1),
                    Set.of(ScopeZone.IPV4_LOCAL.serverAddress()),
                    Set.of(Feature.SERVER_MOBILITY, Feature.RETRY_AFTER),
                    ServerPolicy.DEFAULT_CLOCK_SKEW_ALLOWANCE);

    private final ServerAdmission admission = new ServerAdmission(POLICY);

    private static Message request(MessageType type, Option... options) {
        return Message.of(type, AddressFamily.IPV4, 42, ID, options);
    }

    private static Message discover(Option... options) {
        return request(MessageType.DISCOVER, options).with(GoldenMessages.SCOPE);
    }

    private Admission judge(Message message, RequestTarget arrival) {
        byte[] bytes = MadcapEncoder.encode(message);
        return admission.judge(MadcapDecoder.decode(bytes), arrival, NOW);
    }

    private static MadcapError refused(Admission admission) {
        assertThat(admission).isInstanceOf(Refused.class);
        Message nak = ((Refused) admission).nak();
        assertThat(nak.type()).isEqualTo(MessageType.NAK);
        assertThat(nak.xid()).isEqualTo(42);
        assertThat(nak.leaseId()).isEqualTo(ID);
        assertThat(nak.serverId()).isEqualTo(GoldenMessages.SERVER);
        return MadcapError.of(Objects.requireNonNull(nak.find(Option.ErrorOption.class)));
    }

    @Test
    void goodRequestsAreAdmitted() {
        Message renew = request(MessageType.RENEW);
        assertThat(judge(renew, RequestTarget.UNICAST)).isEqualTo(new Admitted(renew));
        Message release = request(MessageType.RELEASE);
        assertThat(judge(release, RequestTarget.UNICAST)).isEqualTo(new Admitted(release));
        assertThat(judge(discover(), LOCAL)).isEqualTo(new Admitted(discover()));
        Message direct = request(MessageType.REQUEST, GoldenMessages.SCOPE);
        assertThat(judge(direct, RequestTarget.UNICAST)).isEqualTo(new Admitted(direct));
        Message chosen = direct.with(GoldenMessages.SERVER_ID);
        assertThat(judge(chosen, LOCAL)).isEqualTo(new Admitted(chosen));
        Message info = request(MessageType.GETINFO, new Option.OptionRequestList(List.of(9)));
        assertThat(judge(info, RequestTarget.UNICAST)).isEqualTo(new Admitted(info));
        assertThat(judge(info, LOCAL)).isEqualTo(new Admitted(info));
    }

    @Test
    void whatIsNoRequestIsMetWithSilence() {
        assertThat(admission.judge(MadcapDecoder.decode(new byte[11]), LOCAL, NOW))
                .isEqualTo(new Dropped(DropReason.UNREADABLE));
        for (String name : List.of("offer", "ack-to-request", "nak-invalid-request")) {
            Message reply = Objects.requireNonNull(GoldenMessages.all().get(name));
            assertThat(judge(reply, RequestTarget.UNICAST))
                    .isEqualTo(new Dropped(DropReason.SERVERS_MESSAGE));
        }
        Message anonymous = new Message(MessageType.RENEW, AddressFamily.IPV4, 42, List.of());
        assertThat(judge(anonymous, RequestTarget.UNICAST))
                .isEqualTo(new Dropped(DropReason.NO_LEASE_ID));
    }

    @Test
    void unknownTypeIsErrorOneButOnlyWithALeaseId() {
        byte[] bytes = MadcapEncoder.encode(request(MessageType.RENEW));
        bytes[1] = 9;
        assertThat(refused(admission.judge(MadcapDecoder.decode(bytes), LOCAL, NOW)))
                .isEqualTo(new MadcapError.InvalidRequest(0xffff));
        byte[] anonymous = new byte[12];
        anonymous[1] = 9;
        assertThat(admission.judge(MadcapDecoder.decode(anonymous), LOCAL, NOW))
                .isEqualTo(new Dropped(DropReason.NO_LEASE_ID));
    }

    @Test
    void wrongContentsAreErrorOneButNotOfANak() {
        byte[] bytes = MadcapEncoder.encode(discover(new Option.NumberOfAddresses(3, 4)));
        int minimumAt = bytes.length - 4 - 4;
        bytes[minimumAt + 1] = 5;
        DecodeResult result = MadcapDecoder.decode(bytes);
        assertThat(refused(admission.judge(result, LOCAL, NOW)))
                .isEqualTo(new MadcapError.InvalidRequest(7));
        bytes[1] = (byte) MessageType.NAK.code();
        assertThat(admission.judge(MadcapDecoder.decode(bytes), LOCAL, NOW))
                .isEqualTo(new Dropped(DropReason.SERVERS_MESSAGE));
    }

    @Test
    void optionsThatAreMissingOrNotAllowedAreErrorOne() {
        assertThat(refused(judge(request(MessageType.DISCOVER), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(4));
        assertThat(refused(judge(request(MessageType.GETINFO), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(5));
        assertThat(refused(judge(discover(GoldenMessages.START), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(11));
        assertThat(refused(judge(discover(GoldenMessages.SERVER_ID), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(2));
    }

    @Test
    void scopeHasToMatchOrEncloseTheScopeOfTheGroup() {
        Message wide = discover().with(new Option.MulticastScope(ORGANISATION.first()));
        assertThat(judge(wide, WIDE)).isInstanceOf(Admitted.class);
        assertThat(judge(wide, LOCAL)).isInstanceOf(Admitted.class);
        Dropped notServed = new Dropped(DropReason.SCOPE_NOT_SERVED);
        assertThat(judge(discover(), WIDE)).isEqualTo(notServed);
        Option.MulticastScope foreign = new Option.MulticastScope(NetAddress.parse("239.1.0.0"));
        assertThat(judge(discover().with(foreign), LOCAL)).isEqualTo(notServed);
        assertThat(refused(judge(request(MessageType.REQUEST, foreign), RequestTarget.UNICAST)))
                .isEqualTo(new MadcapError.CouldNotBeCompleted(4));
    }

    @Test
    void messagesForOneServerAreIgnoredAtAGroup() {
        Dropped notForAGroup = new Dropped(DropReason.NOT_FOR_A_GROUP);
        assertThat(judge(request(MessageType.RENEW), LOCAL)).isEqualTo(notForAGroup);
        assertThat(judge(request(MessageType.RELEASE), LOCAL)).isEqualTo(notForAGroup);
        Message info = request(MessageType.GETINFO, new Option.OptionRequestList(List.of(9)));
        assertThat(judge(info, WIDE)).isEqualTo(new Dropped(DropReason.GROUP_WITHOUT_INFORMATION));
        assertThat(refused(judge(discover(), RequestTarget.UNICAST)))
                .isEqualTo(new MadcapError.InvalidRequest(0xffff));
    }

    @Test
    void requestThatNamesAnotherServerEndsTheHold() {
        Option.ServerIdentifier other = new Option.ServerIdentifier(NetAddress.parse("192.0.2.99"));
        Message taken = request(MessageType.REQUEST, GoldenMessages.SCOPE, other);
        assertThat(judge(taken, LOCAL)).isEqualTo(new HoldEnded(ID));
        assertThat(refused(judge(taken, RequestTarget.UNICAST)))
                .isEqualTo(new MadcapError.InvalidRequest(2));
        Message nobodys = request(MessageType.REQUEST, GoldenMessages.SCOPE);
        assertThat(refused(judge(nobodys, LOCAL))).isEqualTo(new MadcapError.InvalidRequest(2));
        Message ours = nobodys.with(new Option.ServerIdentifier(NetAddress.parse("2001:db8::1")));
        assertThat(judge(ours, LOCAL)).isInstanceOf(Admitted.class);
    }

    @Test
    void clocksMayDifferByTheAllowance() {
        for (long skew : new long[] {-1800, 0, 1800}) {
            assertThat(judge(discover(new Option.CurrentTime(NOW + skew)), LOCAL))
                    .isInstanceOf(Admitted.class);
        }
        for (long skew : new long[] {-1801, 1801, 0xffff_ffffL - NOW}) {
            assertThat(refused(judge(discover(new Option.CurrentTime(NOW + skew)), LOCAL)))
                    .isEqualTo(new MadcapError.ExcessiveClockSkew(NOW));
        }
    }

    @Test
    void requiredFeaturesHaveToBeSupported() {
        Feature shared = Feature.SHARED_LEASE_IDENTIFIER;
        Set<Feature> both = Set.of(shared, Feature.SERVER_MOBILITY);
        Message demanding = discover(new Option.FeatureList(both, Set.of(), both));
        Admission refusal = judge(demanding, LOCAL);
        assertThat(refused(refusal)).isEqualTo(new MadcapError.FeatureNotSupported(Set.of(shared)));
        assertThat(((Refused) refusal).nak().features().supported()).isEqualTo(POLICY.features());
        assertThat(judge(discover(new Option.FeatureList(both, both, Set.of())), LOCAL))
                .isInstanceOf(Admitted.class);
    }

    @Test
    void retryAfterMayOnlyBeSupported() {
        Set<Feature> retry = Set.of(Feature.RETRY_AFTER);
        Set<Feature> none = Set.of();
        assertThat(judge(discover(new Option.FeatureList(retry, none, none)), LOCAL))
                .isInstanceOf(Admitted.class);
        assertThat(refused(judge(discover(new Option.FeatureList(retry, retry, none)), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(12));
        assertThat(refused(judge(discover(new Option.FeatureList(retry, none, retry)), LOCAL)))
                .isEqualTo(new MadcapError.InvalidRequest(12));
    }
}
