package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Receiver;
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Other programs on leased groups: two jobs each that are started with the same settings but for
 * the group stay apart. They are told the group in their own ways, and nothing of them is changed;
 * only that they keep to the loopback interface.
 */
@Timeout(300)
class InteropTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String CLUSTER = "cluster";
    private static final int STREAM = 1001;

    private final Rest rest = RunningService.shared().rest();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** A leased group. */
    private record Group(String address, int port) {}

    /** A member of a JGroups cluster and what it was sent. */
    private record Member(JChannel channel, Queue<String> received) {

        int viewSize() {
            return channel.getView().size();
        }

        void say(String text) throws Exception {
            channel.send(new ObjectMessage(null, text));
        }
    }

    /** A job's publication and its subscription, on different drivers as on different hosts. */
    private record Stream(ExclusivePublication publication, Subscription subscription) {

        void publish(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            await().atMost(LONG).until(() -> publication.offer(new UnsafeBuffer(bytes)) > 0);
        }

        List<String> poll() {
            List<String> texts = new ArrayList<>();
            int _ =
                    subscription.poll(
                            (buffer, offset, length, _) ->
                                    texts.add(buffer.getStringWithoutLengthUtf8(offset, length)),
                            10);
            return texts;
        }
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void jgroupsClustersOfOneNameOnLeasedGroupsStayApart() throws Exception {
        Group one = lease("").getFirst();
        Group other = lease("").getFirst();
        List<Member> a = List.of(member(one), member(one));
        List<Member> b = List.of(member(other), member(other));
        await().atMost(LONG).until(() -> a.get(1).viewSize() == 2 && b.get(1).viewSize() == 2);
        a.get(0).say("from a");
        b.get(0).say("from b");
        await().atMost(LONG)
                .until(() -> !a.get(1).received().isEmpty() && !b.get(1).received().isEmpty());
        assertThat(a.get(1).received()).containsOnly("from a");
        assertThat(b.get(1).received()).containsOnly("from b");
        assertThat(a.get(0).viewSize()).isEqualTo(2);
    }

    /** What the leases are for: the same settings and one group, and strangers are members. */
    @Test
    void jgroupsClustersOfOneNameOnOneGroupAreOne() throws Exception {
        Group one = lease("").getFirst();
        Member a = member(one);
        Member b = member(one);
        await().atMost(LONG).until(() -> a.viewSize() == 2 && b.viewSize() == 2);
    }

    @Test
    void aeronPublicationsOfOneStreamOnLeasedGroupsStayApart() throws Exception {
        Stream a = stream(aeronLease());
        Stream b = stream(aeronLease());
        a.publish("from a");
        b.publish("from b");
        List<String> atA = new ArrayList<>();
        List<String> atB = new ArrayList<>();
        await().atMost(LONG)
                .until(() -> {
                    atA.addAll(a.poll());
                    atB.addAll(b.poll());
                    return !atA.isEmpty() && !atB.isEmpty();
                });
        assertThat(atA).containsOnly("from a");
        assertThat(atB).containsOnly("from b");
        assertThat(a.subscription().imageCount()).isEqualTo(1);
        assertThat(b.subscription().imageCount()).isEqualTo(1);
    }

    /** Aeron wants an odd address, and takes the next one for its own control. */
    private Group aeronLease() {
        List<Group> pair = lease(",\"count\":2,\"layout\":{\"alignment\":2,\"offset\":1}");
        Group data = pair.get(0);
        int last = lastOctet(data);
        assertThat(last % 2).as(data.toString()).isEqualTo(1);
        assertThat(pair.get(1).address()).endsWith("." + (last + 1) % 256);
        return data;
    }

    private static int lastOctet(Group group) {
        return InetAddress.ofLiteral(group.address()).getAddress()[3] & 0xff;
    }

    private List<Group> lease(String more) {
        Rest.Answer answer =
                rest.post(
                        "/v1/leases",
                        "{\"job\":\"%s\"%s}".formatted(RunningService.newJob(), more));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        List<Group> groups = new ArrayList<>();
        answer.json()
                .path("groups")
                .forEach(group ->
                        groups.add(
                                new Group(
                                        group.path("address").asString(),
                                        group.path("port").asInt())));
        return groups;
    }

    private Member member(Group group) throws Exception {
        System.setProperty("jgroups.udp.mcast_addr", group.address());
        System.setProperty("jgroups.udp.mcast_port", String.valueOf(group.port()));
        JChannel channel = new JChannel("udp.xml");
        TP transport = channel.getProtocolStack().getTransport();
        transport.setBindAddress(InetAddress.ofLiteral("127.0.0.1"));
        transport.getDiagnosticsHandler().setEnabled(false);
        open.push(channel);
        Queue<String> received = new ConcurrentLinkedQueue<>();
        channel.setReceiver(
                new Receiver() {
                    @Override
                    public void receive(Message message) {
                        received.add(message.getObject());
                    }
                });
        channel.connect(CLUSTER);
        return new Member(channel, received);
    }

    private Stream stream(Group group) throws IOException {
        String channel =
                "aeron:udp?endpoint="
                        + group.address()
                        + ":"
                        + group.port()
                        + "|interface=127.0.0.1";
        Subscription subscription = aeron().addSubscription(channel, STREAM);
        ExclusivePublication publication = aeron().addExclusivePublication(channel, STREAM);
        await().atMost(LONG).until(publication::isConnected);
        return new Stream(publication, subscription);
    }

    private Aeron aeron() throws IOException {
        Path directory = RunningService.newDirectory("aeron");
        MediaDriver driver =
                MediaDriver.launchEmbedded(
                        new MediaDriver.Context()
                                .aeronDirectoryName(directory.resolve("driver").toString())
                                .dirDeleteOnShutdown(true)
                                .threadingMode(ThreadingMode.SHARED));
        open.push(driver);
        Aeron aeron =
                Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        open.push(aeron);
        return aeron;
    }
}
