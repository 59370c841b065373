package org.madcast.netsim;

import java.util.ArrayDeque;

/**
 * A node on its host: reads the receive buffer, serves the node's deadline, and puts what the node
 * sends on the uplink. Every call on the node is followed by a step: drain its transmissions, let
 * the test check invariants, arm its deadline.
 *
 * <p>A deadline is one event in the queue at {@code armedNs}. When the node moves its deadline
 * further away the event stays, fires for nothing and is set again; when it moves it nearer another
 * event is added, and the old one is recognised by its time and ignored.
 *
 * <p>Where hosts share processors a host does nothing without one. What it has to do waits: in the
 * receive buffer, as a computation, or as a note that the node wants a step. Then it asks for a
 * {@link Processors turn}, and gives the processor back when nothing is left.
 */
final class Host {

    private static final long IDLE = Long.MAX_VALUE;

    /** More calls than this in one nanosecond are taken for an endless loop. */
    private static final int MAX_CALLS_PER_INSTANT = 1_000_000;

    private final Kernel kernel;
    private final int index;
    private final SimulatedNode node;
    private final HostModel model;
    private final int switchNumber;
    private final Link uplink;
    private final Link downlink;
    private final NodeCounters counters = new NodeCounters();
    private final TransmitSlot slot = new TransmitSlot();
    private final ArrayDeque<Datagram> receiveBuffer = new ArrayDeque<>();
    private long receiveBufferBytes;
    private long busyUntilNs;
    private long armedNs = IDLE;
    private long timedOutAtNs = -1;
    private int timeoutsAtOnce;
    private boolean touchScheduled;
    private boolean uplinkRoomScheduled;
    private boolean joined = true;
    private boolean crashed;
    private int pauses;

    /** What it is to compute, where hosts share processors. */
    private final ArrayDeque<Computation> computations = new ArrayDeque<>();

    /** Whether it has a processor that it shares, or waits for one. */
    private boolean asked;

    private boolean hasTurn;
    private boolean wantsStep;
    private boolean turnScheduled;
    private long turnEndsNs;

    private record Computation(long ns, Runnable then) {}

    Host(Kernel kernel, int index, SimulatedNode node, HostModel model, int switchNumber) {
        this.switchNumber = switchNumber;
        this.kernel = kernel;
        this.index = index;
        this.node = node;
        this.model = model;
        this.uplink = new Link(model.uplink());
        this.downlink = new Link(model.downlink());
    }

    int index() {
        return index;
    }

    /** The switch that it is on. */
    int switchNumber() {
        return switchNumber;
    }

    Link uplink() {
        return uplink;
    }

    Link downlink() {
        return downlink;
    }

    NodeCounters counters() {
        return counters;
    }

    boolean isJoined() {
        return joined;
    }

    void setJoined(boolean value) {
        joined = value;
        kernel.joins++;
    }

    boolean isCrashed() {
        return crashed;
    }

    private boolean isStopped() {
        return crashed || pauses > 0;
    }

    /** A datagram has come over the downlink; takes over the caller's hold on it. */
    void arrive(Datagram datagram) {
        if (crashed) {
            discard(DropCause.CRASHED, datagram);
        } else if (kernel.processors == null
                && pauses == 0
                && receiveBuffer.isEmpty()
                && busyUntilNs <= kernel.nowNs()) {
            deliver(datagram);
        } else {
            store(datagram);
        }
    }

    private void store(Datagram datagram) {
        long bytes = receiveBufferBytes + datagram.lengthBytes();
        boolean full = model.receiveBufferBytes() > 0 && bytes > model.receiveBufferBytes();
        if (full && !datagram.isReliable()) {
            discard(DropCause.RECEIVE_BUFFER, datagram);
            return;
        }
        receiveBufferBytes = bytes;
        receiveBuffer.add(datagram);
        if (receiveBuffer.size() == 1 && pauses == 0) {
            scheduleRead();
        }
    }

    /** Keeps the processor busy for a while, then does something. */
    void compute(long ns, Runnable then) {
        if (kernel.processors == null) {
            kernel.schedule(kernel.nowNs() + ns, EventKind.ACTION, index, then);
        } else {
            computations.add(new Computation(ns, then));
            askForTurn();
        }
    }

    private void askForTurn() {
        Processors processors = kernel.processors;
        if (processors != null && !asked && !isStopped()) {
            asked = true;
            processors.ask(this);
        }
    }

    /**
     * It has a processor.
     *
     * @param fromNs when it is awake
     * @param untilNs when it has to leave it to others that wait
     */
    void beginTurn(long fromNs, long untilNs) {
        hasTurn = true;
        busyUntilNs = Math.max(busyUntilNs, fromNs);
        turnEndsNs = untilNs;
        scheduleTurn();
    }

    private void scheduleTurn() {
        if (!turnScheduled) {
            turnScheduled = true;
            kernel.schedule(busyUntilNs, EventKind.TURN, index, null);
        }
    }

    /** Goes on with its turn, if it still has it and is not busy. */
    void turn() {
        turnScheduled = false;
        Processors processors = kernel.processors;
        if (!hasTurn || processors == null) {
            return;
        }
        long nowNs = kernel.nowNs();
        boolean busy = busyUntilNs > nowNs;
        boolean leaves = nowNs >= turnEndsNs && processors.areWanted();
        if (busy || (!isStopped() && !leaves && doNext(nowNs))) {
            scheduleTurn();
            return;
        }
        hasTurn = false;
        asked = false;
        if (leaves) {
            askForTurn();
        }
        processors.giveBack();
    }

    /** False when there is nothing to do. */
    private boolean doNext(long nowNs) {
        if (wantsStep) {
            wantsStep = false;
            if (node.nextDeadlineNs() <= nowNs) {
                timeOut(nowNs);
            } else {
                step();
            }
        } else if (!receiveBuffer.isEmpty()) {
            deliver(takeReceived());
        } else if (!computations.isEmpty()) {
            Computation next = computations.remove();
            busyUntilNs = nowNs + next.ns;
            kernel.schedule(busyUntilNs, EventKind.ACTION, index, next.then);
        } else {
            return false;
        }
        return true;
    }

    private Datagram takeReceived() {
        Datagram datagram = receiveBuffer.remove();
        receiveBufferBytes -= datagram.lengthBytes();
        return datagram;
    }

    private void discard(DropCause cause, Datagram datagram) {
        kernel.dropCopy(cause, datagram, this);
        datagram.release();
    }

    /** The node is free to read from its receive buffer. */
    void read() {
        if (isStopped() || receiveBuffer.isEmpty()) {
            return;
        }
        if (busyUntilNs > kernel.nowNs()) {
            scheduleRead(); // it has sent something meanwhile
            return;
        }
        deliver(takeReceived());
        if (!receiveBuffer.isEmpty()) {
            scheduleRead();
        }
    }

    private void scheduleRead() {
        if (kernel.processors == null) {
            kernel.schedule(busyUntilNs, EventKind.READ, index, null);
        } else {
            askForTurn();
        }
    }

    private void deliver(Datagram datagram) {
        long nowNs = kernel.nowNs();
        busyUntilNs = nowNs + model.costs().receivingNs(datagram.lengthBytes());
        counters.countReceived(datagram);
        kernel.trace.delivered(nowNs, datagram, index);
        node.onDatagram(nowNs, datagram.view());
        datagram.release();
        step();
    }

    /** The armed time has come. */
    void deadline() {
        long nowNs = kernel.nowNs();
        if (nowNs != armedNs) {
            return;
        }
        armedNs = IDLE;
        if (isStopped()) {
            return;
        }
        if (node.nextDeadlineNs() > nowNs) {
            arm();
            return;
        }
        if (awaitsTurn()) {
            return;
        }
        timeOut(nowNs);
    }

    /** Whether what the node wants has to wait until the host has a processor. */
    private boolean awaitsTurn() {
        if (kernel.processors == null || hasTurn) {
            return false;
        }
        wantsStep = true;
        askForTurn();
        return true;
    }

    private void timeOut(long nowNs) {
        timeoutsAtOnce = nowNs == timedOutAtNs ? timeoutsAtOnce + 1 : 0;
        timedOutAtNs = nowNs;
        requireProgress(timeoutsAtOnce, "calls of onTimeout");
        node.onTimeout(nowNs);
        step();
    }

    /** Schedules a step, once, for the application's call. */
    void scheduleTouch() {
        if (!touchScheduled) {
            touchScheduled = true;
            kernel.schedule(kernel.nowNs(), EventKind.TOUCH, index, null);
        }
    }

    void touch() {
        touchScheduled = false;
        if (!isStopped() && !awaitsTurn()) {
            step();
        }
    }

    void uplinkRoom() {
        uplinkRoomScheduled = false;
        if (!isStopped() && !awaitsTurn()) {
            step();
        }
    }

    void pause() {
        pauses++;
    }

    void resume() {
        if (pauses == 0) {
            throw new IllegalStateException("node " + index + " is not paused");
        }
        pauses--;
        if (!isStopped()) {
            if (!receiveBuffer.isEmpty()) {
                scheduleRead();
            }
            scheduleTouch();
        }
    }

    void crash() {
        crashed = true;
        receiveBufferBytes = 0;
        while (!receiveBuffer.isEmpty()) {
            discard(DropCause.CRASHED, receiveBuffer.remove());
        }
    }

    private void step() {
        drain();
        kernel.afterStep.accept(index);
        arm();
    }

    private void drain() {
        long nowNs = kernel.nowNs();
        int sent = 0;
        while (!uplink.isFull(nowNs) && sendNext(nowNs)) {
            sent++;
            requireProgress(sent, "datagrams");
        }
        if (sent > 0) {
            node.onQueue(nowNs, uplink.queuedBytes(nowNs));
        }
        if (uplink.isFull(nowNs) && !uplinkRoomScheduled) {
            uplinkRoomScheduled = true;
            kernel.schedule(uplink.roomAtNs(), EventKind.UPLINK_ROOM, index, null);
        }
    }

    /** False when the node has nothing to send. */
    private boolean sendNext(long nowNs) {
        Datagram datagram = kernel.pool.acquire();
        slot.clear();
        int lengthBytes = node.pollTransmit(nowNs, datagram.buffer(), slot);
        if (lengthBytes == 0) {
            kernel.pool.giveBack(datagram);
            return false;
        }
        send(datagram, lengthBytes);
        return true;
    }

    private void send(Datagram datagram, int lengthBytes) {
        int destination = slot.destination();
        boolean known = destination >= 0 && destination < kernel.hosts.size();
        if (destination == index || !(known || destination == Destination.GROUP)) {
            throw new IllegalStateException("node " + index + " sends to " + destination);
        }
        if (lengthBytes < 0 || lengthBytes > datagram.buffer().byteSize()) {
            throw new IllegalStateException(
                    "node " + index + " sends a datagram of " + lengthBytes + " bytes");
        }
        datagram.seal(lengthBytes, index, destination, kernel.framing);
        datagram.reliable(slot.isReliable());
        counters.countSent(datagram);
        kernel.trace.sent(kernel.nowNs(), datagram);
        long atSwitchNs = uplink.send(writtenNs(lengthBytes), datagram.wireBytes());
        kernel.schedule(atSwitchNs, EventKind.AT_SWITCH, index, datagram);
    }

    /** When the processor has written a datagram. */
    private long writtenNs(int lengthBytes) {
        long costNs = model.costs().sendingNs(lengthBytes);
        if (costNs == 0) {
            return kernel.nowNs();
        }
        busyUntilNs = Math.max(busyUntilNs, kernel.nowNs()) + costNs;
        return busyUntilNs;
    }

    /** A node whose deadline has passed but whose uplink is full waits for the uplink. */
    private void arm() {
        long nowNs = kernel.nowNs();
        long deadlineNs = Math.max(node.nextDeadlineNs(), nowNs);
        boolean waitsForUplink =
                deadlineNs == nowNs && timedOutAtNs == nowNs && uplink.isFull(nowNs);
        if (deadlineNs < armedNs && !waitsForUplink) {
            armedNs = deadlineNs;
            kernel.schedule(deadlineNs, EventKind.DEADLINE, index, null);
        }
    }

    private void requireProgress(int calls, String what) {
        if (calls >= MAX_CALLS_PER_INSTANT) {
            throw new IllegalStateException(
                    "node "
                            + index
                            + ": "
                            + calls
                            + " "
                            + what
                            + " at "
                            + kernel.nowNs()
                            + " ns: an endless loop");
        }
    }
}
