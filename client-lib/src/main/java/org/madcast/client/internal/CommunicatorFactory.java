package org.madcast.client.internal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;
import org.madcast.client.TransportException;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.collective.SelectionTable;
import org.madcast.client.io.DatagramTransport;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.io.NetworkAttachment;
import org.madcast.client.io.SealedTransport;
import org.madcast.client.io.SocketBuffers;
import org.madcast.client.io.Transports;
import org.madcast.client.lease.KeptTopology;
import org.madcast.client.lease.Member;
import org.madcast.client.lease.Rendezvous;
import org.madcast.client.lease.RendezvousSelection;
import org.madcast.client.lease.ReportChannel;
import org.madcast.client.lock.Polling;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.message.MessageWorld;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.EngineConfig;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.protocol.RateLimits;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.TreeFile;
import org.madcast.client.wire.DatagramLayout;

/**
 * The composition root: turns a configuration into a running communicator. First the group, then
 * the sockets, so that every rank listens before it tells the others that it is there; then the
 * others; then the engine, and the moment in which all ranks find out whether multicast works.
 */
public final class CommunicatorFactory {

    private static final System.Logger LOG = System.getLogger(CommunicatorFactory.class.getName());
    private static final int BACKLOG = 1024;
    private static final int MOST_PORTS = 16;
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private final CommunicatorConfig config;
    private final BroadcastParameters parameters;
    private final @Nullable Path topology;

    /** The communicator's messages; null for one that begins a world of its own. */
    private final @Nullable MessageGroup messages;

    private CommunicatorFactory(CommunicatorConfig config, @Nullable MessageGroup messages) {
        this.config = config;
        this.parameters = config.parameters();
        this.topology = config.topology();
        this.messages = messages;
    }

    /** See {@link Communicator#join(CommunicatorConfig)}. */
    public static Communicator join(CommunicatorConfig config) {
        return new CommunicatorFactory(config, null).join();
    }

    /** Makes a communicator of ranks that exchange messages already. */
    static EngineCommunicator join(CommunicatorConfig config, MessageGroup messages) {
        return new CommunicatorFactory(config, messages).join();
    }

    /** The same, of ranks that meet by their messages too. */
    static EngineCommunicator join(
            CommunicatorConfig config, @Nullable MessageGroup messages, Rendezvous rendezvous) {
        return new CommunicatorFactory(config, messages).join(rendezvous);
    }

    private EngineCommunicator join() {
        Rendezvous rendezvous = RendezvousSelection.introduce(config);
        try {
            return join(rendezvous);
        } catch (JoinFailedException failed) {
            if (!rendezvous.canMeetWithoutService()) {
                throw failed;
            }
            String trouble = String.valueOf(failed.getMessage());
            return join(RendezvousSelection.withoutService(config, trouble));
        }
    }

    private EngineCommunicator join(Rendezvous rendezvous) {
        try {
            return withSockets(rendezvous);
        } catch (IOException failed) {
            closeAfter(rendezvous, failed);
            throw new TransportException(
                    "rank " + config.rank() + ": the network does not work: " + failed.getMessage(),
                    failed);
        } catch (RuntimeException failed) {
            closeAfter(rendezvous, failed);
            throw failed;
        }
    }

    private static void closeAfter(Rendezvous rendezvous, Exception reason) {
        try {
            rendezvous.close();
        } catch (RuntimeException alsoFailed) {
            reason.addSuppressed(alsoFailed);
        }
    }

    private EngineCommunicator withSockets(Rendezvous rendezvous) throws IOException {
        SelectionTable table =
                messages == null ? SelectionTables.of(parameters) : messages.world().table();
        SwitchTree switches = topology == null ? null : TreeFile.read(topology);
        InetSocketAddress group = rendezvous.group().toSocketAddress();
        NetworkAttachment network =
                NetworkAttachment.find(config.networkInterface(), peer(), group.getAddress());
        int ownDatagramBytes = datagramBytes(network);
        DatagramTransport transport = open(rendezvous, network, ownDatagramBytes);
        ServerSocketChannel listener = messages == null ? listen(transport) : null;
        for (int i = 0; messages == null && listener == null && i < MOST_PORTS; i++) {
            transport.close(); // another program has the port for TCP
            transport = open(rendezvous, network, ownDatagramBytes);
            listener = listen(transport);
        }
        MessageGroup own = messages;
        try {
            Member self =
                    new Member(
                            config.rank(),
                            transport.localAddress(),
                            transport.receiveBufferBytes(),
                            ownDatagramBytes);
            List<Member> members = rendezvous.meet(self, config.joinTimeout());
            transport.peers(members.stream().map(Member::endpoint).toList(), config.rank());
            if (own == null) {
                own = world(rendezvous, members, listener, table);
            }
            RankOrder order = order(rendezvous, switches, members);
            if (messages == null) {
                own.world().placed(order);
            }
            return withMembers(rendezvous, transport, network, members, own, order);
        } catch (IOException | RuntimeException failed) {
            transport.close();
            if (own == null && listener != null) {
                listener.close();
            } else if (messages == null && own != null) {
                own.close();
            }
            throw failed;
        }
    }

    /** The order of the world's ranks is that of its parts, too. */
    private @Nullable RankOrder order(
            Rendezvous rendezvous, @Nullable SwitchTree switches, List<Member> members) {
        if (messages != null) {
            return TopologyOrders.ofPart(messages, config.size());
        }
        if (topology != null && switches != null) {
            return TopologyOrders.ofFile(topology, switches, members);
        }
        return rendezvous.topology().map(KeptTopology::order).orElse(null);
    }

    /** Messages come by TCP to the port of the datagrams; null when another program has it. */
    private static @Nullable ServerSocketChannel listen(DatagramTransport transport)
            throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            return listener.bind(transport.localAddress(), BACKLOG);
        } catch (BindException taken) {
            listener.close();
            return null;
        }
    }

    private MessageGroup world(
            Rendezvous rendezvous,
            List<Member> members,
            @Nullable ServerSocketChannel listener,
            SelectionTable table)
            throws IOException {
        if (listener == null) {
            throw new IOException("no port is free for UDP and TCP both");
        }
        MessageEndpoint endpoint =
                new MessageEndpoint(
                        new MessageWorld(
                                config.rank(),
                                members.stream().map(Member::endpoint).toList(),
                                rendezvous.token(),
                                config.key(),
                                parameters.sharedMemory(),
                                parameters.pollTime().toNanos()),
                        listener,
                        (channel, first) -> toRelay(rendezvous, channel, first),
                        parameters.deathTimeout().toNanos());
        return MessageGroup.ofWorld(new World(endpoint, config, table), rendezvous.token());
    }

    private static void toRelay(Rendezvous rendezvous, SocketChannel channel, ByteBuffer first) {
        try {
            ReportChannel reports = rendezvous.reports().orElse(null);
            if (reports == null) {
                channel.close();
            } else {
                reports.adopt(channel, first);
            }
        } catch (IOException gone) {
            LOG.log(System.Logger.Level.TRACE, "a connection for the relay", gone);
        }
    }

    private DatagramTransport open(
            Rendezvous rendezvous, NetworkAttachment network, int datagramBytes)
            throws IOException {
        JobKey key = config.key();
        int sealBytes = key == null ? 0 : SealedTransport.OVERHEAD_BYTES;
        DatagramTransport plain =
                Transports.open(
                        parameters.socketPath(),
                        network,
                        rendezvous.group().toSocketAddress(),
                        parameters.ttl(),
                        datagramBytes + sealBytes,
                        new SocketBuffers(
                                parameters.receiveBufferBytes(), parameters.sendBufferBytes()));
        return key == null
                ? plain
                : new SealedTransport(
                        plain,
                        key.ofCommunicator(rendezvous.token()),
                        config.rank(),
                        datagramBytes);
    }

    /** The largest datagram that this rank wants: the header and one fragment at most. */
    private int datagramBytes(NetworkAttachment network) throws IOException {
        int wanted = parameters.datagramBytes();
        int sealBytes = config.key() == null ? 0 : SealedTransport.OVERHEAD_BYTES;
        int most = (wanted > 0 ? wanted : network.datagramBytes()) - sealBytes;
        int ofFragments = DatagramLayout.HEADER_BYTES + parameters.fragmentSizeBytes();
        int bytes = Math.min(most, ofFragments);
        if (most < ofFragments && parameters.pinsFragmentSize()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0}: fragment_size {1} is capped to {2} bytes, the most that a datagram of"
                            + " {3} carries; a larger MTU or datagram.size allows more",
                    config.rank(),
                    Integer.toString(parameters.fragmentSizeBytes()),
                    Integer.toString(most - DatagramLayout.HEADER_BYTES),
                    network.networkInterface().getName());
        }
        if (bytes < EngineConfig.LEAST_DATAGRAM_BYTES) {
            throw new JoinFailedException(
                    "rank %d: datagrams of %d bytes are too small; at least %d are needed, with a key %d"
                            .formatted(
                                    config.rank(),
                                    bytes + sealBytes,
                                    EngineConfig.LEAST_DATAGRAM_BYTES,
                                    EngineConfig.LEAST_DATAGRAM_BYTES
                                            + SealedTransport.OVERHEAD_BYTES),
                    null);
        }
        return bytes;
    }

    private EngineCommunicator withMembers(
            Rendezvous rendezvous,
            DatagramTransport transport,
            NetworkAttachment network,
            List<Member> members,
            MessageGroup group,
            @Nullable RankOrder order)
            throws IOException {
        EngineConfig engineConfig =
                agree(rendezvous.token() ^ group.world().table().digest(), members, order);
        Arena memory = Arena.ofShared();
        BroadcastEngine engine = new BroadcastEngine(engineConfig, memory, System.nanoTime());
        engine.restrictGroups(rendezvous.group().address().getAddress().length);
        EngineLoop loop =
                new EngineLoop(
                        engine,
                        transport,
                        new MessageWay(group, engineConfig.datagramBytes()),
                        memory,
                        engineConfig.datagramBytes(),
                        new Polling(parameters.pollTime().toNanos()),
                        "madcast-" + config.name() + "-" + config.rank());
        CommunicatorInfo.Local local =
                new CommunicatorInfo.Local(
                        network.networkInterface().getName(),
                        transport.name(),
                        transport.receiveBufferBytes(),
                        engineConfig.datagramBytes(),
                        CompilerHint.compilers());
        CompilerHint.give(members.stream().map(Member::endpoint).toList(), config.rank());
        loop.start();
        try {
            awaitProbe(loop, engine, whatMayDiffer(rendezvous, order, group.world().table()));
            EngineCommunicator made =
                    new EngineCommunicator(
                            config,
                            engine,
                            loop,
                            rendezvous,
                            info(rendezvous, members, local),
                            group);
            if (messages == null) {
                group.world().joined(made::info);
            }
            return made;
        } catch (IOException | RuntimeException failed) {
            loop.close();
            throw failed;
        }
    }

    /** What all ranks must have alike besides their job; empty when this rank has nothing. */
    private String whatMayDiffer(
            Rendezvous rendezvous, @Nullable RankOrder order, SelectionTable table) {
        String topologies =
                order == null
                        ? ""
                        : " Or have they another topology than this rank, which %s?"
                                .formatted(topologyName(rendezvous));
        return topologies
                + parameters
                        .selectionFile()
                        .filter(_ -> table.digest() != 0)
                        .map(
                                " Or have they another selection table than this rank, which read %s?"
                                        ::formatted)
                        .orElse("");
    }

    private String topologyName(Rendezvous rendezvous) {
        return topology != null
                ? "read " + topology
                : rendezvous.topology().map(it -> "got " + it.name()).orElse("has its world's");
    }

    private void awaitProbe(EngineLoop loop, BroadcastEngine engine, String differences)
            throws IOException {
        boolean decided =
                loop.callAndAwait(
                        () -> {},
                        () -> engine.groupState() != GroupState.PROBING || engine.failure() != null,
                        PROBE_TIMEOUT.plus(parameters.deathTimeout()).toNanos());
        boolean stillProbing = loop.read(engine::groupState) == GroupState.PROBING;
        if (!decided || (!differences.isEmpty() && stillProbing)) {
            throw new JoinFailedException(
                    "rank %d heard nothing from the other ranks at %s although all of them joined; is"
                                    .formatted(config.rank(), config.jobId())
                            + " UDP between these hosts blocked?"
                            + differences,
                    null);
        }
    }

    private EngineConfig agree(long token, List<Member> members, @Nullable RankOrder order) {
        Member least = Collections.min(members, Comparator.comparingInt(Member::datagramBytes));
        int datagramBytes = least.datagramBytes();
        if (datagramBytes < EngineConfig.LEAST_DATAGRAM_BYTES) {
            throw new JoinFailedException(
                    "rank %d at %s wants datagrams of %d bytes; at least %d are needed"
                            .formatted(
                                    least.rank(),
                                    CommunicatorConfig.hostAndPort(least.endpoint()),
                                    datagramBytes,
                                    EngineConfig.LEAST_DATAGRAM_BYTES),
                    null);
        }
        long bufferBytes =
                members.stream().mapToLong(Member::receiveBufferBytes).min().orElseThrow();
        return new EngineConfig(
                config.rank(),
                config.size(),
                order == null ? token : token ^ order.digest(),
                datagramBytes,
                Window.fragments(bufferBytes, datagramBytes, parameters.windowBytes()),
                parameters.useCrcChecking() && config.key() == null,
                parameters.deathTimeout().toNanos(),
                PROBE_TIMEOUT.toNanos(),
                new RateLimits(
                        parameters.rateBitsPerSecond(),
                        parameters.followsSlowest(),
                        parameters.catchUp().toNanos()),
                parameters.gatherTime().toNanos(),
                Disseminations.byCode(order),
                Algorithm.CHAIN.code());
    }

    private CommunicatorInfo info(
            Rendezvous rendezvous, List<Member> members, CommunicatorInfo.Local local) {
        return new CommunicatorInfo(
                config.jobId(),
                config.name(),
                rendezvous.group(),
                rendezvous.groupSource(),
                rendezvous.scope(),
                rendezvous.leaseId(),
                rendezvous.leaseExpiresAt(),
                rendezvous.token(),
                members.stream().map(Member::endpoint).toList(),
                local);
    }

    private @Nullable InetSocketAddress peer() {
        if (config.serviceUri() != null) {
            int port = config.serviceUri().getPort();
            return new InetSocketAddress(config.serviceUri().getHost(), port > 0 ? port : 80);
        }
        InetSocketAddress root = config.rootAddress();
        return root == null || !root.isUnresolved()
                ? root
                : new InetSocketAddress(root.getHostString(), root.getPort());
    }
}
