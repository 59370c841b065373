package org.madcast.netsim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one switch: takes whole datagrams (store and forward), asks the fault layers, and puts copies
 * on the downlinks of the receivers. Uses up the caller's hold on each datagram that it is given.
 */
final class Switch {

    private final Kernel kernel;
    private final FaultLayers layers;
    private final Passage uplinkPassage;
    private final Passage downlinkPassage;

    Switch(Kernel kernel, FaultLayers layers) {
        this.kernel = kernel;
        this.layers = layers;
        this.uplinkPassage = new Passage(kernel.framing);
        this.downlinkPassage = new Passage(kernel.framing);
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
        if (cause != null) {
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
        List<Host> hosts = kernel.hosts;
        if (datagram.isMulticast()) {
            for (int i = 0; i < hosts.size(); i++) {
                Host host = hosts.get(i);
                if (i != datagram.from() && host.isJoined()) {
                    copyTo(host, datagram);
                }
            }
        } else {
            copyTo(hosts.get(datagram.destination()), datagram);
        }
        datagram.release();
    }

    private void copyTo(Host host, Datagram datagram) {
        if (layers.isEmpty(LinkSide.DOWNLINK)) {
            enqueue(host, datagram, 0);
            return;
        }
        Passage passage = downlinkPassage;
        passage.begin(LinkSide.DOWNLINK, kernel.nowNs(), datagram, host.index());
        layers.judge(passage);
        @Nullable DropCause cause = passage.dropCause();
        if (cause != null) {
            kernel.dropCopy(cause, datagram, host);
        } else {
            for (int copy = 0; copy < passage.copies(); copy++) {
                enqueue(host, passage.current(), passage.delayNs(copy));
            }
        }
        passage.end();
    }

    private void enqueue(Host host, Datagram datagram, long extraDelayNs) {
        long nowNs = kernel.nowNs();
        Link downlink = host.downlink();
        if (!downlink.accepts(nowNs, datagram.wireBytes())) {
            kernel.dropCopy(DropCause.SWITCH_QUEUE, datagram, host);
            return;
        }
        long arrivalNs = downlink.send(nowNs, datagram.wireBytes()) + extraDelayNs;
        kernel.schedule(arrivalNs, EventKind.AT_HOST, host.index(), datagram.hold());
    }
}
