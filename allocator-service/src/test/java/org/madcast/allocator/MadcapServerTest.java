package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NestingMatrix;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.GrantedLease;
import org.madcast.madcap.codec.MadcapEncoder;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The MADCAP server on real sockets and a real PostgreSQL, asked by the module's own client. */
class MadcapServerTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofMillis(400);
    private static final String LOCAL_SERVERS = "239.255.255.254";
    private static final String ORGANIZATION_SERVERS = "239.195.255.254";
    private static final NetAddress LOCAL = NetAddress.parse("239.255.0.0");
    private static final NetAddress ORGANIZATION = NetAddress.parse("239.192.0.0");
    private static final NetAddress SMALL = NetAddress.parse("239.130.2.0");

    private static int port;
    private static int otherPort;
    private static RunningService service;
    private static RunningService replica;

    private final MadcapClient client = new MadcapClient(port);
    private final JdbcClient jdbc = RunningService.shared().jdbc();
    private final LeaseId id = MadcapClient.newLeaseId();

    @BeforeAll
    static void start() throws SocketException {
        // 512 addresses outside of every other scope, of which the upper 256 are kept.
        RunningService.shared()
                .addScope("madcap-small", "239.130.2.0-239.130.3.255", 0, "madcap-small", false);
        port = FreePort.udp();
        String scopes = "--madcast.madcap.scopes=default,local,madcap-small,no-such";
        service =
                RunningService.madcap(
                        port,
                        scopes,
                        "--madcast.madcap.offer-hold=2s",
                        "--madcast.madcap.quota.addresses-per-client=400");
        otherPort = FreePort.udp();
        replica = RunningService.madcap(otherPort, scopes);
        try (MadcapClient one = new MadcapClient(port);
                MadcapClient other = new MadcapClient(otherPort)) {
            for (MadcapClient each : List.of(one, other)) {
                await().atMost(LONG)
                        .until(() -> each.send(getInfo(), "127.0.0.1", SILENCE) != null);
            }
        }
    }

    @AfterAll
    static void stop() {
        service.close();
        replica.close();
    }

    @AfterEach
    void close() {
        client.close();
        jdbc.sql(
                        """
                        update lease set released_at = now() where released_at is null
                            and id in (select lease_id from madcap_lease)
                        """)
                .update();
        jdbc.sql("update madcap_lease set ended = true").update();
        jdbc.sql("delete from lease where id in (select lease_id from madcap_lease)").update();
        jdbc.sql("update slot set free_at = 'epoch' where scope = 'madcap-small'").update();
    }

    @Test
    void discoversTakesRenewsAndReleases() {
        Message discover =
                MadcapClient.message(
                        MessageType.DISCOVER,
                        id,
                        new Option.MulticastScope(LOCAL),
                        new Option.LeaseTime(600));
        GrantedLease lease = granted(client.askGroup(discover, LOCAL_SERVERS));
        assertThat(lease.leaseTime()).isEqualTo(Duration.ofMinutes(10));
        assertThat(lease.serverId()).isEqualTo(MadcapClient.LOOPBACK);
        assertThat(lease.ranges()).hasSize(1);
        assertThat(lease.ranges().getFirst().first()).isBetween(LOCAL, LOCAL.plus(65_279));

        GrantedLease renewed = granted(client.ask(renewal(1200)));
        assertThat(renewed.ranges()).isEqualTo(lease.ranges());
        assertThat(renewed.scopeId()).isEqualTo(LOCAL);
        assertThat(renewed.leaseTime()).isEqualTo(Duration.ofMinutes(20));

        assertThat(client.ask(release(id))).isInstanceOf(ExchangeEvent.Released.class);
        assertThat(error(client.ask(release(id)))).isEqualTo(new MadcapError.LeaseNotRecognized());
        String recorded =
                "select what || ' ' || who from audit where lease = (select lease from audit"
                        + " where groups[1] = ?::inet order by id desc limit 1) order by id";
        String address = lease.ranges().getFirst().first().toString();
        assertThat(jdbc.sql(recorded).param(address).query(String.class).list())
                .containsExactly("lease.granted madcap", "lease.released madcap");
    }

    @Test
    void aLeaseOwnsItsAddressOnAllPortsAndInTheLeaseTable() {
        NetAddress address = single(request(ORGANIZATION));
        Instant expiresAt =
                jdbc.sql(
                                """
                                select l.expires_at from lease l join lease_group g
                                    on g.lease_id = l.id
                                where g.address = ?::inet and g.whole_address
                                    and owned_ports_of(g.port, g.port_count, g.whole_address)
                                        = int4range(0, 65536)
                                    and not g.shares_address
                                """)
                        .param(address.toString())
                        .query(Instant.class)
                        .single();
        // The day that a lease without a time gets, and the extra hour.
        assertThat(Duration.between(Instant.now(), expiresAt))
                .isBetween(Duration.ofHours(24), Duration.ofHours(26));
    }

    @Test
    void anOtherLayer2DomainsLeaseOfTheSameAddressIsPassedOver() {
        String[] taken =
                IntStream.range(0, 255).mapToObj(i -> "239.130.2." + i).toArray(String[]::new);
        String elsewhere = RunningService.newJob();
        for (String address : taken) {
            occupy(address, elsewhere, Duration.ZERO);
        }
        assertThat(single(request(SMALL)).toString()).isEqualTo("239.130.2.255");
        assertThat(request(SMALL)).isInstanceOf(ExchangeEvent.Refused.class);
        jdbc.sql("delete from lease where job = ?").param(elsewhere).update();
    }

    @Test
    void aRepeatedRequestGetsTheSameBytesAndOneLease() {
        Message request = requestMessage(SMALL, id);
        Message first = client.send(request, "127.0.0.1", LONG);
        Message again = client.send(request, "127.0.0.1", LONG);
        assertThat(again).isNotNull().isEqualTo(first);
        assertThat(leasesOf(id)).isEqualTo(1);
    }

    @Test
    void aRepeatedRequestAfterARestartGetsTheSameLease() throws Exception {
        int restartedPort = FreePort.udp();
        Message request = requestMessage(ORGANIZATION, id);
        NetAddress before;
        try (RunningService first = RunningService.madcap(restartedPort);
                MadcapClient early = new MadcapClient(restartedPort)) {
            assertThat(first.rest().get("/v1/scopes").status()).isEqualTo(200);
            before = single(early.ask(request));
        }
        try (RunningService second = RunningService.madcap(restartedPort);
                MadcapClient late = new MadcapClient(restartedPort)) {
            assertThat(second.rest().get("/v1/scopes").status()).isEqualTo(200);
            assertThat(single(late.ask(request))).isEqualTo(before);
            assertThat(error(late.ask(request.withXid(request.xid() + 1))))
                    .isEqualTo(invalid(Option.Kind.LEASE_IDENTIFIER));
        }
        assertThat(leasesOf(id)).isEqualTo(1);
    }

    @Test
    void anOtherReplicaRenewsAndReleasesWithServerMobility() {
        NetAddress address = single(request(ORGANIZATION));
        Option mobility =
                new Option.FeatureList(
                        Set.of(Feature.SERVER_MOBILITY), Set.of(), Set.of(Feature.SERVER_MOBILITY));
        try (MadcapClient other = new MadcapClient(otherPort)) {
            GrantedLease renewed =
                    granted(other.ask(MadcapClient.message(MessageType.RENEW, id, mobility)));
            assertThat(renewed.ranges()).containsExactly(AddressRange.single(address));
            assertThat(renewed.features()).containsExactly(Feature.SERVER_MOBILITY);
            assertThat(other.ask(release(id))).isInstanceOf(ExchangeEvent.Released.class);
        }
        assertThat(error(client.ask(release(id)))).isEqualTo(new MadcapError.LeaseNotRecognized());
    }

    @Test
    void aLeaseIsNotRenewedIntoSomebodyElsesTime() {
        NetAddress address = single(ask(SMALL, id, new Option.LeaseTime(600)));
        String later = RunningService.newJob();
        occupy(address.toString(), later, Duration.ofHours(2));
        Message tooLong = there(client.send(renewal(7200), "127.0.0.1", LONG));
        jdbc.sql("delete from lease where job = ?").param(later).update();
        assertThat(MadcapError.of(there(tooLong.find(Option.ErrorOption.class))))
                .isEqualTo(impossible(Option.Kind.LEASE_TIME));
    }

    private Message renewal(int seconds) {
        return MadcapClient.message(MessageType.RENEW, id, new Option.LeaseTime(seconds));
    }

    @Test
    void anOfferHoldsAddressesUntilItsTimeIsOver() {
        Message offer = there(client.send(discoverAll(), "239.130.3.254", LONG));
        assertThat(offer.type()).isEqualTo(MessageType.OFFER);
        assertThat(request(SMALL)).isInstanceOf(ExchangeEvent.Refused.class);
        await().atMost(LONG).until(() -> request(SMALL) instanceof ExchangeEvent.Granted);
    }

    @Test
    void aRequestThatNamesAnotherServerEndsTheHold() {
        Message discover = discoverAll();
        assertThat(client.send(discover, "239.130.3.254", LONG)).isNotNull();
        Message elsewhere =
                discover.as(MessageType.REQUEST)
                        .with(new Option.ServerIdentifier(NetAddress.parse("127.0.0.9")));
        assertThat(client.send(elsewhere, "239.130.3.254", SILENCE)).isNull();
        await().atMost(Duration.ofMillis(1500))
                .until(() -> request(SMALL) instanceof ExchangeEvent.Granted);
    }

    @Test
    void tellsTheScopesFromSmallToLargeWithTheirNesting() {
        ExchangeEvent.Outcome outcome = client.askGroup(getInfo(), LOCAL_SERVERS);
        assertThat(outcome).isInstanceOf(ExchangeEvent.Informed.class);
        Message answer = ((ExchangeEvent.Informed) outcome).answers().getFirst();
        Option.MulticastScopeList list = there(answer.find(Option.MulticastScopeList.class));
        assertThat(list.zones())
                .extracting(ScopeZone::first)
                .containsExactly(SMALL, LOCAL, ORGANIZATION);
        assertThat(list.zones().get(2).ttl()).isEqualTo(16);
        NestingMatrix nesting = there(answer.nesting());
        assertThat(nesting.nests(1, 2)).isTrue();
        assertThat(nesting.nests(2, 1)).isFalse();
        assertThat(nesting.nests(0, 2)).isFalse();
        assertThat(client.send(getInfo(), ORGANIZATION_SERVERS, SILENCE)).isNull();
    }

    @Test
    void anEnclosingScopeIsServedFromTheInnerGroupButNotTheOtherWayRound() {
        Message outer =
                MadcapClient.message(
                        MessageType.DISCOVER, id, new Option.MulticastScope(ORGANIZATION));
        assertThat(client.send(outer, LOCAL_SERVERS, LONG)).isNotNull();
        Message inner =
                MadcapClient.message(MessageType.DISCOVER, id, new Option.MulticastScope(LOCAL));
        assertThat(client.send(inner, ORGANIZATION_SERVERS, SILENCE)).isNull();
    }

    @Test
    void refusesWhatCannotBeAndWhatIsWrong() {
        assertThat(error(client.ask(requestMessage(NetAddress.parse("239.1.0.0"), id))))
                .isEqualTo(impossible(Option.Kind.MULTICAST_SCOPE));
        assertThat(error(ask(new Option.NumberOfAddresses(300, 400))))
                .isEqualTo(impossible(Option.Kind.NUMBER_OF_ADDRESSES));
        assertThat(error(ask(new Option.MinimumLeaseTime(100_000))))
                .isEqualTo(impossible(Option.Kind.MINIMUM_LEASE_TIME));
        assertThat(error(ask(new Option.LeaseTime(5), new Option.MinimumLeaseTime(6))))
                .isEqualTo(invalid(Option.Kind.MINIMUM_LEASE_TIME));
        long now = Instant.now().getEpochSecond();
        assertThat(error(ask(new Option.CurrentTime(now - 3600))))
                .isInstanceOf(MadcapError.ExcessiveClockSkew.class);
        assertThat(error(ask(new Option.CurrentTime(now), new Option.MaximumStartTime(now - 100))))
                .isEqualTo(impossible(Option.Kind.MAXIMUM_START_TIME));
        assertThat(leasesOf(id)).isZero();
    }

    @Test
    void garbageIsMetWithSilence() {
        byte[] good = MadcapEncoder.encode(requestMessage(SMALL, id));
        byte[] version = good.clone();
        version[0] = 1;
        byte[] reply = good.clone();
        reply[1] = (byte) MessageType.NAK.code();
        byte[] cut = java.util.Arrays.copyOf(good, good.length - 1);
        for (byte[] bad : List.of(new byte[0], new byte[11], version, reply, cut)) {
            assertThat(client.send(bad, "127.0.0.1", Duration.ofMillis(150))).isNull();
        }
        byte[] unknownType = good.clone();
        unknownType[1] = 9;
        Message nak = there(client.send(unknownType, "127.0.0.1", LONG));
        assertThat(nak.type()).isEqualTo(MessageType.NAK);
        assertThat(leasesOf(id)).isZero();
        assertThat(client.send(good, "127.0.0.1", LONG)).isNotNull();
    }

    @Test
    void aLeaseThatStartsLaterSaysSo() {
        long start = Instant.now().getEpochSecond() + 1000;
        GrantedLease lease =
                granted(
                        ask(
                                new Option.CurrentTime(Instant.now().getEpochSecond()),
                                new Option.StartTime(start),
                                new Option.LeaseTime(500)));
        assertThat(lease.start()).isEqualTo(Instant.ofEpochSecond(start));
        assertThat(lease.leaseTime()).isEqualTo(Duration.ofSeconds(500));
    }

    @Test
    void severalAddressesComeAsRangesAndAsManyAsThereAre() {
        GrantedLease most = granted(ask(SMALL, id, new Option.NumberOfAddresses(200, 250)));
        Set<NetAddress> addresses = new HashSet<>();
        for (AddressRange range : most.ranges()) {
            IntStream.range(0, range.count()).forEach(i -> addresses.add(range.first().plus(i)));
        }
        assertThat(addresses).hasSize(250);
        GrantedLease rest =
                granted(
                        ask(
                                SMALL,
                                MadcapClient.newLeaseId(),
                                new Option.NumberOfAddresses(1, 100)));
        assertThat(rest.ranges().stream().mapToInt(AddressRange::count).sum()).isEqualTo(6);
    }

    @Test
    void aFullPoolAsksToWaitWhoCanWait() {
        granted(ask(SMALL, id, new Option.NumberOfAddresses(256, 256)));
        Message request =
                requestMessage(SMALL, MadcapClient.newLeaseId())
                        .with(
                                new Option.FeatureList(
                                        Set.of(Feature.RETRY_AFTER), Set.of(), Set.of()));
        Message ack = there(client.send(request, "127.0.0.1", LONG));
        assertThat(ack.type()).isEqualTo(MessageType.ACK);
        assertThat(ack.find(Option.AddressRangeList.class))
                .isEqualTo(new Option.AddressRangeList(List.of()));
        assertThat(ack.has(Option.RetryTime.class)).isTrue();
        assertThat(ack.features().required()).containsExactly(Feature.RETRY_AFTER);
    }

    @Test
    void oneClientGetsNoMoreThanItsQuota() {
        granted(ask(LOCAL, id, new Option.NumberOfAddresses(256, 256)));
        assertThat(
                        error(
                                ask(
                                        LOCAL,
                                        MadcapClient.newLeaseId(),
                                        new Option.NumberOfAddresses(200, 200))))
                .isEqualTo(new MadcapError.CouldNotBeCompleted(Option.Kind.NO_OPTION));
        granted(ask(LOCAL, MadcapClient.newLeaseId(), new Option.NumberOfAddresses(100, 100)));
        long groups =
                jdbc.sql(
                                """
                                select count(*) from lease_group g join lease l on l.id = g.lease_id
                                where l.job = 'madcap' and g.scope = 'local'
                                """)
                        .query(Long.class)
                        .single();
        assertThat(groups).as("nothing stays of what was refused").isEqualTo(356);
    }

    @Test
    void aLeaseThatExpiredByAccidentIsGivenBackToItsClient() {
        NetAddress address = single(ask(SMALL, id, new Option.LeaseTime(1)));
        await().atMost(LONG)
                .untilAsserted(() -> {
                    Message again = requestMessage(SMALL, id);
                    assertThat(single(client.ask(again))).isEqualTo(address);
                });
    }

    private ExchangeEvent.Outcome request(NetAddress scope) {
        return ask(scope, scope.equals(SMALL) ? MadcapClient.newLeaseId() : id);
    }

    private ExchangeEvent.Outcome ask(Option... options) {
        return ask(SMALL, id, options);
    }

    private ExchangeEvent.Outcome ask(NetAddress scope, LeaseId leaseId, Option... options) {
        Message request = requestMessage(scope, leaseId);
        for (Option option : options) {
            request = request.with(option);
        }
        return client.ask(request);
    }

    private static Message requestMessage(NetAddress scope, LeaseId leaseId) {
        return MadcapClient.message(MessageType.REQUEST, leaseId, new Option.MulticastScope(scope));
    }

    private static Message release(LeaseId leaseId) {
        return MadcapClient.message(MessageType.RELEASE, leaseId);
    }

    private static Message getInfo() {
        return MadcapClient.message(
                MessageType.GETINFO,
                MadcapClient.newLeaseId(),
                Option.OptionRequestList.of(
                        Option.Kind.MULTICAST_SCOPE_LIST, Option.Kind.SCOPE_NESTING));
    }

    private Message discoverAll() {
        return MadcapClient.message(
                MessageType.DISCOVER,
                id,
                new Option.MulticastScope(SMALL),
                new Option.NumberOfAddresses(256, 256));
    }

    private static GrantedLease granted(ExchangeEvent.Outcome outcome) {
        assertThat(outcome).isInstanceOf(ExchangeEvent.Granted.class);
        return ((ExchangeEvent.Granted) outcome).lease();
    }

    private static NetAddress single(ExchangeEvent.Outcome outcome) {
        GrantedLease lease = granted(outcome);
        assertThat(lease.ranges()).hasSize(1);
        assertThat(lease.ranges().getFirst().count()).isEqualTo(1);
        return lease.ranges().getFirst().first();
    }

    private static MadcapError error(ExchangeEvent.Outcome outcome) {
        assertThat(outcome).isInstanceOf(ExchangeEvent.Refused.class);
        return ((ExchangeEvent.Refused) outcome).error();
    }

    private static <T> T there(@Nullable T value) {
        assertThat(value).isNotNull();
        return Objects.requireNonNull(value);
    }

    private static MadcapError invalid(Option.Kind kind) {
        return new MadcapError.InvalidRequest(kind.code());
    }

    private static MadcapError impossible(Option.Kind kind) {
        return new MadcapError.CouldNotBeCompleted(kind.code());
    }

    private long leasesOf(LeaseId leaseId) {
        return jdbc.sql(
                        """
                        select count(*) from madcap_lease
                        where identifier_hash = encode(
                            sha256(convert_to('madcap lease identifier ' || ?, 'UTF8')), 'hex')
                        """)
                .param(leaseId.octets().toString())
                .query(Long.class)
                .single();
    }

    private void occupy(String address, String job, Duration in) {
        jdbc.sql(
                        """
                        with l as (
                            insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                                expires_at)
                            values (gen_random_uuid(), 'default', :job, repeat('0', 64), now(),
                                now(), now() + interval '1 h')
                            returning id)
                        insert into lease_group (lease_id, ordinal, scope, address, port, segment,
                            blocked)
                        select id, 0, 'default', :address::inet, 4000, :job,
                            tstzrange(now() + make_interval(secs => :in), now() + make_interval(secs => :in) + interval '1 h')
                        from l
                        """)
                .param("job", job)
                .param("address", address)
                .param("in", (double) in.toSeconds())
                .update();
    }
}
