package org.madcast.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.IntStream;

/**
 * A virtual cluster that is up. All methods may be called from any thread; changing one host from
 * two threads at once is the caller's to avoid. Trouble of the machine is a {@link LabException}.
 *
 * <p>Any process may close a lab, also one that another process made and {@link #find} found. A lab
 * that is not closed is left for {@link #reap}, unless it is detached.
 */
public final class Lab implements AutoCloseable {
    private static final Set<Lab> OWN = ConcurrentHashMap.newKeySet();

    private final LabState state;
    private final List<LabHost> hosts;
    private final ConcurrentLinkedDeque<NamespaceRelay> relays = new ConcurrentLinkedDeque<>();
    private final Object closing = new Object();
    private boolean closed;

    private Lab(LabState state) {
        this.state = state;
        hosts =
                IntStream.range(0, state.spec().hosts())
                        .mapToObj(index -> new LabHost(state, index))
                        .toList();
    }

    /**
     * Makes a lab, in place of an orphan of that name, and comes back when it is usable: every port
     * forwards, and multicast reaches the members of its group and no other host. When it fails,
     * what was made so far is gone again.
     */
    public static Lab up(LabSpec spec) {
        find(spec.name()).filter(Lab::isOrphan).ifPresent(Lab::close);
        Lab lab = new Lab(LabRegistry.claim(spec));
        synchronized (lab.closing) {
            OWN.add(lab);
            try {
                new Construction(lab.state).build();
            } catch (RuntimeException e) {
                lab.closeAfter(e);
                throw e;
            }
        }
        return lab;
    }

    /**
     * Takes down every lab that this process has made or is making, except detached ones: what a
     * shutdown hook wants, since a signal may come before { #up} has come back.
     */
    public static void closeOwn() {
        OWN.stream().filter(lab -> !lab.spec().detached()).forEach(Lab::close);
    }

    /** Every lab of this machine, of any process. */
    public static List<Lab> list() {
        return LabRegistry.list().stream().map(Lab::new).toList();
    }

    /** The lab of that name, of any process. */
    public static Optional<Lab> find(String name) {
        return LabRegistry.find(name).map(Lab::new);
    }

    /** Takes down the labs whose makers have died, except detached ones; says their names. */
    public static List<String> reap() {
        List<Lab> orphans = list().stream().filter(Lab::isOrphan).toList();
        orphans.forEach(Lab::close);
        return orphans.stream().map(lab -> lab.spec().name()).toList();
    }

    /** As the lab was made. */
    public LabSpec spec() {
        return state.spec();
    }

    /** The process that made it. */
    public LabOwner owner() {
        return state.owner();
    }

    /** Whether the process that would take it down is gone. */
    public boolean isOrphan() {
        return !spec().detached() && !owner().isAlive();
    }

    /** All hosts, by index. */
    public List<LabHost> hosts() {
        return hosts;
    }

    /** The host of that index. */
    public LabHost host(int index) {
        return hosts.get(Objects.checkIndex(index, hosts.size()));
    }

    /** Where the hosts reach what {@link #relay} passes on. */
    public InetAddress gateway() {
        return state.subnet().gateway();
    }

    /** The IPv6 address of {@link #gateway}. */
    public InetAddress gateway6() {
        return state.subnet().gateway6();
    }

    /** The namespace of the switches, in which the gateway's address is. */
    public String switchNamespace() {
        return state.switchNamespace();
    }

    /**
     * Passes TCP connections to the gateway's port on to a port of the machine's own loopback,
     * until the relay or the lab is closed by this object.
     *
     * @param port of the gateway; 0 takes a free one
     * @param target usually of 127.0.0.1, seen from outside of the lab
     */
    public NamespaceRelay relay(int port, InetSocketAddress target) throws IOException {
        NamespaceRelay relay =
                NamespaceRelay.open(
                        switchNamespace(), new InetSocketAddress(gateway(), port), target);
        relays.add(relay);
        return relay;
    }

    /** Sets the share of arriving UDP datagrams that a host drops, each independent; 0 ends it. */
    public void setLoss(int host, double percent) {
        LabSpec.requirePercent(percent);
        filter(host(host).namespace(), PacketFilter.arrivingLoss(percent));
    }

    /**
     * Lets a host lose runs of arriving UDP datagrams: of every {@code n}, {@code length} in a row.
     * The runs of different hosts begin at different places of a stream that all of them hear.
     *
     * @param every 1 to 1,000,000
     * @param length 0 to {@code every}; 0 ends it
     */
    public void setBurstLoss(int host, int every, int length) {
        if (every < 1 || every > 1_000_000 || length < 0 || length > every) {
            throw new IllegalArgumentException(
                    "a burst of " + length + " in every " + every + " is none");
        }
        int behind = (int) ((long) (every - length) * host / hosts.size());
        filter(host(host).namespace(), PacketFilter.arrivingBursts(every, length, behind));
    }

    /**
     * Sets the share of a host's sent UDP datagrams that the switch drops: lost for all receivers
     * alike; 0 ends it.
     */
    public void setUplinkLoss(int host, double percent) {
        LabSpec.requirePercent(percent);
        Objects.checkIndex(host, hosts.size());
        filter(switchNamespace(), PacketFilter.portLoss(Wiring.port(host), percent));
    }

    /**
     * Lets no multicast datagram pass between a host and its switch, either way, while joins and
     * unicast still do: what a badly configured switch does.
     */
    public void blockMulticast(int host) {
        block(host, true);
    }

    /** Ends {@link #blockMulticast}. */
    public void unblockMulticast(int host) {
        block(host, false);
    }

    /**
     * Lets the hosts of an island and all others hear nothing of each other, TCP included, as when
     * the cable between two switches is cut; each side still reaches the gateway. Replaces an
     * earlier partition.
     */
    public void partition(Set<Integer> island) {
        island.forEach(host -> Objects.checkIndex(host, hosts.size()));
        filter(
                switchNamespace(),
                PacketFilter.partition(new Wiring(state).partition(Set.copyOf(island))));
    }

    /** Ends {@link #partition}. */
    public void heal() {
        partition(Set.of());
    }

    /** Stops every process of a host where it is; what arrives for it waits in its sockets. */
    public void pause(int host) {
        NamespaceProcesses.signal(Set.of(host(host).namespace()), "STOP");
    }

    /** Lets the processes of a host go on. */
    public void resume(int host) {
        NamespaceProcesses.signal(Set.of(host(host).namespace()), "CONT");
    }

    /** Sets what a host's cable carries each way; empty removes the limit. */
    public void setRate(int host, Optional<LinkRate> rate) {
        shape(host(host).namespace(), Wiring.HOST_INTERFACE, rate);
        shape(switchNamespace(), Wiring.port(host), rate);
    }

    /** Reads a host's counters. */
    public HostCounters counters(int host) {
        try {
            return host(host)
                    .call(() ->
                            HostCounters.read(
                                    Files.readString(Path.of("/proc/thread-self/net/dev")),
                                    Files.readString(Path.of("/proc/thread-self/net/snmp")),
                                    Wiring.HOST_INTERFACE));
        } catch (IOException e) {
            throw new LabException("cannot read the counters of " + host(host) + ": " + e, e);
        }
    }

    /**
     * Which hosts have joined which group, as the switches know it from snooping. Groups of
     * link-local scope (224.0.0.0/24, ff02::) are left out: switches flood them.
     */
    public SortedMap<InetAddress, SortedSet<Integer>> groups() {
        return GroupTable.read(
                Commands.run("bridge", List.of("-n", switchNamespace(), "mdb", "show")));
    }

    /** The processes that run inside the lab, in any of its namespaces. */
    public List<ProcessHandle> processes() {
        return NamespaceProcesses.find(state.namespaces());
    }

    /**
     * Takes the lab down: relays, processes inside, cables, namespaces, and the note of it. Closing
     * again does nothing. Suits a shutdown hook.
     */
    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            boolean interrupted = Thread.interrupted(); // which must not keep it from being done
            try {
                relays.forEach(NamespaceRelay::close);
                if (isStillThisLab()) {
                    new Construction(state).demolish();
                    LabRegistry.forget(state.spec().name());
                }
                closed = true;
                OWN.remove(this);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public String toString() {
        return "lab " + spec().name() + " of " + hosts.size() + " hosts, gateway " + gateway();
    }

    private void closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (LabException e) {
            failure.addSuppressed(e);
        }
    }

    /** Another process may have taken it down, and made another one of the same name. */
    private boolean isStillThisLab() {
        return LabRegistry.find(state.spec().name()).filter(state::equals).isPresent();
    }

    private void block(int host, boolean blocked) {
        Objects.checkIndex(host, hosts.size());
        filter(switchNamespace(), PacketFilter.portBlock(Wiring.port(host), blocked));
    }

    private static void filter(String namespace, String rules) {
        Commands.runInside(namespace, "nft", List.of("-f", "-"), rules);
    }

    private static void shape(String namespace, String device, Optional<LinkRate> rate) {
        String line = rate.map(some -> Wiring.shape(device, some)).orElse(Wiring.unshape(device));
        Commands.run("tc", List.of("-n", namespace, "-batch", "-"), line + "\n");
    }
}
