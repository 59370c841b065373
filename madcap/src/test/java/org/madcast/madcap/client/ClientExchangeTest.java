package org.madcast.madcap.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.GoldenMessages;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;
import org.madcast.madcap.Option;
import org.madcast.madcap.RandomMessages;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.codec.MadcapEncoder;
import org.madcast.madcap.server.Replies;

class ClientExchangeTest {

    private static final LeaseId ID = GoldenMessages.LEASE_ID;
    private static final NetAddress A = NetAddress.parse("192.0.2.1");
    private static final NetAddress B = NetAddress.parse("192.0.2.2");
    private static final ServerEndpoint SERVER_A = ServerEndpoint.at(A);
    private static final ServerEndpoint SERVER_B = ServerEndpoint.at(B);
    private static final ServerEndpoint GROUP =
            ServerEndpoint.at(ScopeZone.IPV4_LOCAL.serverAddress());
    private static final Set<Feature> ALL =
            Set.of(Feature.SERVER_MOBILITY, Feature.RETRY_AFTER, Feature.SHARED_LEASE_IDENTIFIER);
    private static final Replies FROM_A = new Replies(A, ALL);
    private static final Replies FROM_B = new Replies(B, ALL);
    private static final Option.AddressRangeList ONE =
            new Option.AddressRangeList(
                    List.of(AddressRange.single(NetAddress.parse("239.255.0.16"))));
    private static final MadcapError UNKNOWN_LEASE = new MadcapError.LeaseNotRecognized();

    private static final Message RENEW = message(MessageType.RENEW);
    private static final Message RELEASE = message(MessageType.RELEASE);
    private static final Message REQUEST = message(MessageType.REQUEST, GoldenMessages.SCOPE);
    private static final Message GETINFO =
            message(MessageType.GETINFO, new Option.OptionRequestList(List.of(9)));
    private static final Message DISCOVER =
            message(MessageType.DISCOVER, GoldenMessages.SCOPE, new Option.LeaseTime(7200));

    private static Message message(MessageType type, Option... options) {
        return Message.of(type, AddressFamily.IPV4, 100, ID, options);
    }

    private static Message ack(Replies server, Message request, long leaseSeconds) {
        return server.reply(
                MessageType.ACK,
                request,
                Set.of(),
                GoldenMessages.SCOPE,
                ONE,
                new Option.LeaseTime(leaseSeconds));
    }

    private static Message offer(Replies server, long leaseSeconds) {
        return server.reply(
                MessageType.OFFER,
                DISCOVER,
                Set.of(),
                GoldenMessages.SCOPE,
                new Option.LeaseTime(leaseSeconds));
    }

    private static ExchangeEvent.Granted granted(NetAddress server, long leaseSeconds) {
        return new ExchangeEvent.Granted(
                new GrantedLease(
                        ID,
                        GoldenMessages.SCOPE_ID,
                        ONE.ranges(),
                        Duration.ofSeconds(leaseSeconds),
                        null,
                        server,
                        Set.of()));
    }

    @Test
    void sameBytesGoOutAt0And4And12And28AndItEndsAt60() {
        VirtualDriver driver = new VirtualDriver(RENEW, SERVER_A);
        driver.runTo(59.999);
        assertThat(driver.sentSeconds()).containsExactly(0L, 4L, 12L, 28L);
        assertThat(driver.sent)
                .extracting(VirtualDriver.Sent::bytes)
                .containsOnly(Octets.of(MadcapEncoder.encode(RENEW)));
        assertThat(driver.exchange.isEnded()).isFalse();
        driver.runTo(60);
        assertThat(driver.events()).containsExactly(new ExchangeEvent.NoResponse());
        assertThat(driver.exchange.nextDeadlineNs()).isEqualTo(ClientExchange.NO_DEADLINE);
        driver.runTo(100);
        assertThat(driver.sent).hasSize(4);
    }

    @Test
    void aDriverThatSleptSendsOnceAndNotForEachMissedTime() {
        VirtualDriver driver = new VirtualDriver(RENEW, SERVER_A);
        driver.sleepTo(13);
        driver.runTo(60);
        assertThat(driver.sentSeconds()).containsExactly(0L, 13L, 28L);
        VirtualDriver longer = new VirtualDriver(RENEW, SERVER_A);
        longer.sleepTo(61);
        assertThat(longer.sent).hasSize(1);
        assertThat(longer.events()).containsExactly(new ExchangeEvent.NoResponse());
    }

    @Test
    void renewIsGrantedByAnAckAfterARetransmission() {
        VirtualDriver driver = new VirtualDriver(RENEW, SERVER_A);
        driver.runTo(5);
        driver.deliver(ack(FROM_A, RENEW, 3600));
        driver.deliver(ack(FROM_A, RENEW, 3600));
        driver.runTo(70);
        assertThat(driver.sentSeconds()).containsExactly(0L, 4L);
        assertThat(driver.events()).containsExactly(granted(A, 3600));
        assertThat(driver.ignored(Ignored.NOTHING_OUTSTANDING)).isEqualTo(1);
    }

    @Test
    void releaseAndInformationFromOneServer() {
        VirtualDriver release = new VirtualDriver(RELEASE, SERVER_A);
        release.deliver(FROM_A.reply(MessageType.ACK, RELEASE, Set.of()));
        assertThat(release.events()).containsExactly(new ExchangeEvent.Released(A));
        VirtualDriver information = new VirtualDriver(GETINFO, SERVER_A);
        Message answer =
                FROM_A.reply(
                        MessageType.ACK,
                        GETINFO,
                        Set.of(),
                        new Option.MulticastScopeList(List.of(ScopeZone.IPV4_LOCAL)));
        information.deliver(answer);
        assertThat(information.events())
                .containsExactly(new ExchangeEvent.Informed(List.of(answer)));
    }

    @Test
    void nothingIsSentAgainAfterANak() {
        for (Message request : List.of(RENEW, RELEASE, REQUEST, GETINFO)) {
            VirtualDriver driver = new VirtualDriver(request, SERVER_A);
            driver.deliver(FROM_A.nak(request, UNKNOWN_LEASE));
            driver.runTo(70);
            assertThat(driver.sent).hasSize(1);
            assertThat(driver.events())
                    .containsExactly(new ExchangeEvent.Refused(A, UNKNOWN_LEASE));
        }
    }

    @Test
    void firstOfferThatGivesEverythingIsTakenAtOnce() {
        VirtualDriver driver = new VirtualDriver(DISCOVER, GROUP);
        driver.runTo(1);
        driver.deliver(offer(FROM_A, 7200));
        Message request = DISCOVER.as(MessageType.REQUEST).with(new Option.ServerIdentifier(A));
        assertThat(driver.sentSeconds()).containsExactly(0L, 1L);
        assertThat(driver.sent.getLast().to()).isEqualTo(GROUP);
        assertThat(driver.lastMessage()).isEqualTo(request);
        driver.deliver(offer(FROM_B, 7200));
        driver.deliver(ack(FROM_B, request, 7200));
        assertThat(driver.ignored(Ignored.UNEXPECTED_TYPE)).isEqualTo(1);
        assertThat(driver.ignored(Ignored.OTHER_SERVER)).isEqualTo(1);
        driver.deliver(ack(FROM_A, request, 7200));
        assertThat(driver.events())
                .containsExactly(
                        new ExchangeEvent.OfferTaken(offer(FROM_A, 7200), 1), granted(A, 7200));
    }

    @Test
    void bestOfferIsTakenWhenTheRetransmissionTimerHasRun() {
        VirtualDriver driver = new VirtualDriver(DISCOVER, GROUP);
        driver.runTo(5);
        driver.deliver(offer(FROM_A, 600));
        driver.runTo(6);
        driver.deliver(offer(FROM_B, 1200));
        driver.deliver(offer(FROM_B, 1200));
        driver.runTo(12.999);
        assertThat(driver.sentSeconds()).containsExactly(0L, 4L);
        driver.runTo(13);
        assertThat(driver.lastMessage().serverId()).isEqualTo(B);
        assertThat(driver.ignored(Ignored.REPEATED)).isEqualTo(1);
        driver.runTo(13 + 59);
        assertThat(driver.sentSeconds()).containsExactly(0L, 4L, 13L, 17L, 25L, 41L);
        driver.runTo(13 + 60);
        assertThat(driver.events())
                .containsExactly(
                        new ExchangeEvent.OfferTaken(offer(FROM_B, 1200), 2),
                        new ExchangeEvent.NoResponse());
    }

    @Test
    void aNakToADiscoverStopsItButNotTheOffersOfOthers() {
        VirtualDriver driver = new VirtualDriver(DISCOVER, GROUP);
        driver.deliver(FROM_A.nak(DISCOVER, new MadcapError.InvalidRequest(4)));
        driver.runTo(3);
        driver.deliver(offer(FROM_B, 7200));
        assertThat(driver.lastMessage().serverId()).isEqualTo(B);
        VirtualDriver alone = new VirtualDriver(DISCOVER, GROUP);
        alone.deliver(FROM_A.nak(DISCOVER, new MadcapError.InvalidRequest(4)));
        alone.runTo(70);
        assertThat(alone.sent).hasSize(1);
        assertThat(alone.events())
                .containsExactly(new ExchangeEvent.Refused(A, new MadcapError.InvalidRequest(4)));
    }

    @Test
    void informationOfAGroupIsCollected() {
        VirtualDriver driver = new VirtualDriver(GETINFO, GROUP);
        Message fromA = FROM_A.reply(MessageType.ACK, GETINFO, Set.of());
        Message fromB = FROM_B.reply(MessageType.ACK, GETINFO, Set.of());
        driver.runTo(1);
        driver.deliver(fromA);
        driver.deliver(fromB);
        driver.runTo(4.9);
        assertThat(driver.exchange.isEnded()).isFalse();
        driver.runTo(5);
        assertThat(driver.sent).hasSize(1);
        assertThat(driver.events())
                .containsExactly(new ExchangeEvent.Informed(List.of(fromA, fromB)));
    }

    @Test
    void anotherServerIsAskedWithAnotherXidWhereMobilityIsRequired() {
        Set<Feature> mobility = Set.of(Feature.SERVER_MOBILITY);
        Message renew = RENEW.with(new Option.FeatureList(mobility, Set.of(), mobility));
        VirtualDriver driver = new VirtualDriver(renew, SERVER_A, SERVER_B);
        driver.runTo(60);
        assertThat(driver.sent.getLast().to()).isEqualTo(SERVER_B);
        assertThat(driver.lastMessage()).isEqualTo(renew.withXid(101));
        driver.deliver(ack(FROM_A, renew, 3600));
        assertThat(driver.ignored(Ignored.OTHER_TRANSACTION)).isEqualTo(1);
        driver.deliver(ack(FROM_B, renew.withXid(101), 3600));
        assertThat(driver.events())
                .containsExactly(new ExchangeEvent.NextServer(SERVER_B), granted(B, 3600));
        assertThat(driver.exchange.nextXid()).isEqualTo(102);
        assertThatThrownBy(() -> new VirtualDriver(RENEW, SERVER_A, SERVER_B))
                .hasMessageContaining("Server Mobility");
    }

    @Test
    void retryAfterIsObeyedByTheServersClockAndWithANewXid() {
        Set<Feature> retry = Set.of(Feature.RETRY_AFTER);
        Message request =
                REQUEST.with(new Option.FeatureList(retry, Set.of(), Set.of()))
                        .with(new Option.CurrentTime(1000));
        VirtualDriver driver = new VirtualDriver(request, SERVER_A);
        driver.runTo(1);
        driver.deliver(postponement(request, retry, 3600));
        driver.runTo(3600.9);
        assertThat(driver.sent).hasSize(1);
        driver.runTo(3601);
        Message again = request.withXid(101).with(new Option.CurrentTime(4601));
        assertThat(driver.lastMessage()).isEqualTo(again);
        driver.deliver(postponement(again, retry, -5));
        driver.runTo(3605);
        assertThat(driver.lastMessage().xid()).isEqualTo(102);
        driver.deliver(ack(FROM_A, request.withXid(102), 60));
        assertThat(driver.events())
                .containsExactly(
                        new ExchangeEvent.Postponed(A, Duration.ofHours(1)),
                        new ExchangeEvent.Postponed(A, Duration.ofSeconds(4)),
                        granted(A, 60));
    }

    @Test
    void retryAfterWithoutBeingAskedForIsIgnored() {
        VirtualDriver driver = new VirtualDriver(REQUEST, SERVER_A);
        Set<Feature> retry = Set.of(Feature.RETRY_AFTER);
        driver.deliver(postponement(REQUEST, Set.of(), 10));
        driver.deliver(
                postponement(REQUEST, Set.of(), 10)
                        .with(new Option.FeatureList(retry, Set.of(), retry)));
        assertThat(driver.ignored(Ignored.AGAINST_THE_RULES)).isEqualTo(2);
        assertThat(driver.events()).isEmpty();
    }

    private static Message postponement(Message request, Set<Feature> used, int delaySeconds) {
        return FROM_A.reply(
                MessageType.ACK,
                request,
                used,
                GoldenMessages.SCOPE,
                new Option.LeaseTime(60),
                new Option.AddressRangeList(List.of()),
                GoldenMessages.NOW,
                new Option.RetryTime(GoldenMessages.NOW.epochSeconds() + delaySeconds));
    }

    @Test
    void termsThatTheRequestExcludesAreIgnored() {
        Message request =
                REQUEST.with(new Option.MinimumLeaseTime(100))
                        .with(GoldenMessages.NOW)
                        .with(new Option.MaximumStartTime(1704067200))
                        .with(new Option.NumberOfAddresses(1, 2));
        Message good = ack(FROM_A, request, 100);
        List<Message> bad =
                List.of(
                        good.with(new Option.LeaseTime(99)),
                        good.with(GoldenMessages.NOW).with(new Option.StartTime(1704067201)),
                        good.with(new Option.AddressRangeList(List.of())),
                        good.with(addresses("239.255.0.16", 3)),
                        good.with(addresses("239.254.255.255", 1)),
                        good.with(new Option.MulticastScope(NetAddress.parse("239.254.0.0"))));
        VirtualDriver driver = new VirtualDriver(request, SERVER_A);
        bad.forEach(driver::deliver);
        assertThat(driver.ignored(Ignored.UNACCEPTABLE_TERMS)).isEqualTo(bad.size());
        driver.deliver(good);
        assertThat(driver.events()).containsExactly(granted(A, 100));
    }

    private static Option.AddressRangeList addresses(String first, int count) {
        return new Option.AddressRangeList(
                List.of(new AddressRange(NetAddress.parse(first), count)));
    }

    @Test
    void strangersAndGarbageAreIgnoredAndCounted() {
        VirtualDriver driver = new VirtualDriver(RENEW, SERVER_A);
        driver.deliver(new byte[3]);
        driver.deliver(ack(FROM_A, RENEW.withXid(7), 60));
        LeaseId other = new LeaseId(Octets.ofHex("0001"));
        driver.deliver(ack(FROM_A, RENEW.with(new Option.LeaseIdentifier(other)), 60));
        driver.deliver(FROM_A.reply(MessageType.ACK, RENEW, Set.of()));
        driver.deliver(RENEW);
        assertThat(driver.ignored(Ignored.UNREADABLE)).isEqualTo(1);
        assertThat(driver.ignored(Ignored.OTHER_TRANSACTION)).isEqualTo(2);
        assertThat(driver.ignored(Ignored.AGAINST_THE_RULES)).isEqualTo(1);
        assertThat(driver.ignored(Ignored.UNEXPECTED_TYPE)).isEqualTo(1);
        assertThat(driver.events()).isEmpty();
    }

    @Test
    void noReplyHoweverStrangeBreaksAnExchange() {
        for (long seed = 0; seed < 20_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Message request = List.of(RENEW, RELEASE, REQUEST).get(random.nextInt(3));
            VirtualDriver driver = new VirtualDriver(request, SERVER_A);
            RandomMessages replies = new RandomMessages(random);
            for (int i = 0; i < 5; i++) {
                Message reply = replies.next().withXid(request.xid());
                driver.deliver(reply.with(new Option.LeaseIdentifier(ID)));
            }
            driver.runTo(61);
            assertThat(driver.sent.size()).as("seed %d", seed).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void callersMistakesAreRefused() {
        assertThatThrownBy(() -> new VirtualDriver(DISCOVER, SERVER_A))
                .hasMessageContaining("DISCOVER does not go to");
        assertThatThrownBy(() -> new VirtualDriver(RENEW, GROUP))
                .hasMessageContaining("RENEW does not go to");
        assertThatThrownBy(() -> new VirtualDriver(message(MessageType.REQUEST), SERVER_A))
                .hasMessageContaining("MULTICAST_SCOPE");
        Set<Feature> retry = Set.of(Feature.RETRY_AFTER);
        Option.FeatureList asked = new Option.FeatureList(retry, retry, Set.of());
        assertThatThrownBy(() -> new VirtualDriver(REQUEST.with(asked), SERVER_A))
                .hasMessageContaining("Retry After");
        ClientExchange exchange =
                new ClientExchange(RENEW, List.of(SERVER_A), ExchangeSettings.DEFAULT, 0);
        assertThatThrownBy(() -> exchange.pollTransmit(0, ByteBuffer.allocate(10)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(exchange.pollTransmit(0, ByteBuffer.allocate(100))).isPositive();
    }
}
