package org.madcast.netsim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The switches: the one that a datagram's sender is on asks the fault layers of the uplink, each
 * puts copies on the downlinks of its own receivers, and passes multicast on over the trunks behind
 * which there are receivers, as IGMP snooping learns them, unicast over the one to its receiver.
 * Uses up the caller's hold on each datagram that it is given.
 */
final class Fabric {

    /** So much of a frame a switch reads before it knows where to. */
    private static final int HEADER_BYTES = 64;

    private final Kernel kernel;
    private final SwitchTopology topology;
    private final boolean cutsThrough;
    private final FaultLayers layers;
    private final Passage uplinkPassage;
    private final Passage downlinkPassage;
    private final List<List<Host>> hosts = new ArrayList<>();
    private final List<List<Integer>> ports = new ArrayList<>();
    private final Link[] trunks;

    /** The ports towards each switch, as far as they were asked for. */
    private final int[] @Nullable [] towards;

    /** How many hosts that have joined are behind each port; of {@link #countedJoins}. */
    private final int[] joinedBehind;

    private int countedJoins = -1;
    private long droppedAtTrunks;

    Fabric(Kernel kernel, SwitchTopology topology, FaultLayers layers) {
        this.kernel = kernel;
        this.topology = topology;
        this.cutsThrough = topology.forwarding() == SwitchTopology.Forwarding.CUT_THROUGH;
        this.layers = layers;
        this.uplinkPassage = new Passage(kernel.framing);
        this.downlinkPassage = new Passage(kernel.framing);
        for (int i = 0; i < topology.switches(); i++) {
            hosts.add(new ArrayList<>());
            ports.add(new ArrayList<>());
        }
        kernel.hosts.forEach(host -> hosts.get(host.switchNumber()).add(host));
        trunks = new Link[topology.ports()];
        for (int port = 0; port < trunks.length; port++) {
            trunks[port] = new Link(topology.trunks().get(port / 2).link());
            ports.get(topology.owner(port)).add(port);
        }
        towards = new int[topology.switches()][];
        joinedBehind = new int[trunks.length];
    }

    long droppedAtTrunks() {
        return droppedAtTrunks;
    }

    /** A datagram has crossed its sender's uplink. */
    void arrive(Datagram datagram) {
        if (layers.isEmpty(LinkSide.UPLINK)) {
            forward(datagram);
            return;
        }
        Passage passage = uplinkPassage;
        passage.begin(LinkSide.UPLINK, kernel.nowNs(), datagram, datagram.destination());
        layers.judge(passage);
        DropCause cause = passage.dropCause();
        if (datagram.isReliable()) {
            forward(datagram.hold());
        } else if (cause != null) {
            kernel.dropOnUplink(cause, datagram);
        } else {
            for (int copy = 0; copy < passage.copies(); copy++) {
                forwardAfter(passage.delayNs(copy), passage.current().hold());
            }
        }
        passage.end();
        datagram.release();
    }

    private void forwardAfter(long delayNs, Datagram datagram) {
        if (delayNs == 0) {
            forward(datagram);
        } else {
            kernel.schedule(kernel.nowNs() + delayNs, EventKind.FORWARD, datagram.from(), datagram);
        }
    }

    /** Sends a datagram that is past the uplink's faults to its receivers. */
    void forward(Datagram datagram) {
        Host sender = kernel.hosts.get(datagram.from());
        forward(sender.switchNumber(), -1, sinceNs(sender.uplink(), datagram), datagram);
        datagram.release();
    }

    /** A datagram that went into a trunk at this port has come out at the other end. */
    void overTrunk(int port, Datagram datagram) {
        int end = port ^ 1;
        forward(topology.owner(end), end, sinceNs(trunks[port], datagram), datagram);
        datagram.release();
    }

    /** When a switch could begin to pass on what has come to its end over a link now. */
    private long sinceNs(Link link, Datagram datagram) {
        int wireBytes = datagram.wireBytes();
        return cutsThrough && wireBytes > HEADER_BYTES
                ? kernel.nowNs() - link.serialisationNs(wireBytes - HEADER_BYTES)
                : kernel.nowNs();
    }

    private void forward(int number, int cameIn, long sinceNs, Datagram datagram) {
        if (!datagram.isMulticast()) {
            Host receiver = kernel.hosts.get(datagram.destination());
            if (receiver.switchNumber() == number) {
                copyTo(receiver, sinceNs, datagram);
            } else {
                passOn(towards(receiver.switchNumber())[number], sinceNs, datagram);
            }
            return;
        }
        List<Host> local = hosts.get(number);
        for (int i = 0; i < local.size(); i++) {
            Host host = local.get(i);
            if (host.index() != datagram.from() && host.isJoined()) {
                copyTo(host, sinceNs, datagram);
            }
        }
        List<Integer> outs = ports.get(number);
        for (int i = 0; i < outs.size(); i++) {
            int port = outs.get(i);
            if (port != cameIn && joinedBehind(port) > 0) {
                passOn(port, sinceNs, datagram);
            }
        }
    }

    private int[] towards(int target) {
        int[] known = towards[target];
        if (known == null) {
            known = topology.portsTowards(target);
            towards[target] = known;
        }
        return known;
    }

    private int joinedBehind(int port) {
        if (countedJoins != kernel.joins) {
            countedJoins = kernel.joins;
            countJoined();
        }
        return joinedBehind[port];
    }

    /** The joined hosts on a switch are behind each port that leads towards it. */
    private void countJoined() {
        Arrays.fill(joinedBehind, 0);
        for (int target = 0; target < hosts.size(); target++) {
            int joined = (int) hosts.get(target).stream().filter(Host::isJoined).count();
            for (int port : towards(target)) {
                if (port >= 0) {
                    joinedBehind[port] += joined;
                }
            }
        }
    }

    private void passOn(int port, long sinceNs, Datagram datagram) {
        long nowNs = kernel.nowNs();
        Link trunk = trunks[port];
        if (!datagram.isReliable() && !trunk.accepts(nowNs, datagram.wireBytes())) {
            droppedAtTrunks++;
            kernel.trace.dropped(nowNs, DropCause.TRUNK_QUEUE, datagram, datagram.destination());
            return;
        }
        long arrivalNs = trunk.send(nowNs, sinceNs, datagram.wireBytes());
        kernel.schedule(arrivalNs, EventKind.OVER_TRUNK, port, datagram.hold());
    }

    private void copyTo(Host host, long sinceNs, Datagram datagram) {
        if (layers.isEmpty(LinkSide.DOWNLINK)) {
            enqueue(host, sinceNs, datagram, 0);
            return;
        }
        Passage passage = downlinkPassage;
        passage.begin(LinkSide.DOWNLINK, kernel.nowNs(), datagram, host.index());
        layers.judge(passage);
        @Nullable DropCause cause = passage.dropCause();
        if (datagram.isReliable()) {
            enqueue(host, sinceNs, datagram, 0);
        } else if (cause != null) {
            kernel.dropCopy(cause, datagram, host);
        } else {
            for (int copy = 0; copy < passage.copies(); copy++) {
                enqueue(host, sinceNs, passage.current(), passage.delayNs(copy));
            }
        }
        passage.end();
    }

    private void enqueue(Host host, long sinceNs, Datagram datagram, long extraDelayNs) {
        long nowNs = kernel.nowNs();
        Link downlink = host.downlink();
        if (!datagram.isReliable() && !downlink.accepts(nowNs, datagram.wireBytes())) {
            kernel.dropCopy(DropCause.SWITCH_QUEUE, datagram, host);
            return;
        }
        long arrivalNs = downlink.send(nowNs, sinceNs, datagram.wireBytes()) + extraDelayNs;
        kernel.schedule(arrivalNs, EventKind.AT_HOST, host.index(), datagram.hold());
    }
}
