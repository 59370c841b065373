package org.madcast.netsim;

import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A network of nodes around a switch, or around several that form a tree, and the virtual clock
 * that drives it. Add the nodes, then {@link #runUntil}. Same nodes, plan and seed: same run, event
 * for event; {@link #traceHash} tells.
 *
 * <p>A datagram waits for its sender's uplink, crosses it, meets the plan's uplink faults at the
 * switch, is copied (multicast) to every other node that has joined, meets the downlink faults,
 * crosses the trunks towards the receivers, where there are several switches, waits for each
 * receiver's downlink, crosses it, and is handed to the node or waits in its receive buffer. Events
 * of the same nanosecond happen in the order in which they were scheduled.
 *
 * <p>For one thread; nothing needs closing.
 */
public final class Simulation {

    private final long seed;
    private final FaultPlan plan;
    private final Kernel kernel;
    private final SwitchTopology topology;
    private @Nullable Fabric fabric;
    private long eventCount;

    /** A network of plain Ethernet frames; see {@link Framing#ETHERNET}. */
    public Simulation(FaultPlan plan, long seed) {
        this(Framing.ETHERNET, plan, seed);
    }

    /** A network of one switch without nodes yet. */
    public Simulation(Framing framing, FaultPlan plan, long seed) {
        this(framing, SwitchTopology.ONE_SWITCH, plan, seed);
    }

    /** A network without nodes yet. */
    public Simulation(Framing framing, SwitchTopology topology, FaultPlan plan, long seed) {
        this.seed = seed;
        this.topology = topology;
        this.plan = plan;
        this.kernel = new Kernel(framing);
    }

    /**
     * Adds a node on the first switch.
     *
     * @return the node's number, counted from 0
     */
    public int addNode(SimulatedNode node, HostModel model) {
        return addNode(node, model, 0);
    }

    /**
     * Adds a node, joined to the group; it is asked for transmissions and its deadline when the run
     * starts. Only before the first run.
     *
     * @param switchNumber the switch that it is on
     * @return the node's number, counted from 0
     */
    public int addNode(SimulatedNode node, HostModel model, int switchNumber) {
        Objects.checkIndex(switchNumber, topology.switches());
        if (fabric != null) {
            throw new IllegalStateException("nodes are added before the first run");
        }
        Host host = new Host(kernel, kernel.hosts.size(), node, model, switchNumber);
        kernel.hosts.add(host);
        host.scheduleTouch();
        return host.index();
    }

    /**
     * Lets all hosts share processors, instead of each having its own. Before the first run.
     *
     * @param count how many, at least 1
     * @param wakeNs how long a host needs until it runs on one
     */
    public void shareProcessors(int count, long wakeNs) {
        if (count < 1 || wakeNs < 0) {
            throw new IllegalArgumentException(
                    count + " processors, on which hosts wake up in " + wakeNs + " ns");
        }
        if (fabric != null) {
            throw new IllegalStateException("processors are shared before the first run");
        }
        kernel.processors = new Processors(kernel, count, wakeNs);
    }

    /**
     * Has a node's program compute for a while, and then do something. Where hosts share processors
     * it waits for one, and others for it.
     */
    public void compute(int node, long ns, Runnable then) {
        host(node).compute(ns, then);
    }

    /** Is called with a node's number after each call on that node and its transmissions. */
    public void afterStep(IntConsumer check) {
        kernel.afterStep = check;
    }

    /** Keeps the last {@code n} events in words for {@link #log}. Before the first run. */
    public void keepLog(int events) {
        kernel.trace.keepLog(events);
    }

    /** Schedules an action of the test, which may call anything here but {@link #runUntil}. */
    public void at(long timeNs, Runnable action) {
        if (timeNs < kernel.nowNs()) {
            throw new IllegalArgumentException(
                    "time " + timeNs + " ns lies before now, " + kernel.nowNs() + " ns");
        }
        kernel.schedule(timeNs, EventKind.ACTION, 0, action);
    }

    /**
     * Says that the application made a call on a node: its transmissions and deadline are asked for
     * now, as soon as the event in progress is over, or when the node's pause ends.
     */
    public void touch(int node) {
        host(node).scheduleTouch();
    }

    /** Stops a node, as by SIGSTOP, until as many {@link #resume}. See {@link NodeFault.Pause}. */
    public void pause(int node) {
        host(node).pause();
    }

    /** Ends a pause. */
    public void resume(int node) {
        host(node).resume();
    }

    /** Kills a node for good. See {@link NodeFault.Crash}. */
    public void crash(int node) {
        host(node).crash();
    }

    /** Whether a node was killed. */
    public boolean isCrashed(int node) {
        return host(node).isCrashed();
    }

    /** Lets the switch copy multicast to a node, as at the start. */
    public void join(int node) {
        host(node).setJoined(true);
    }

    /** Lets the switch no longer copy multicast to a node; it may still send to the group. */
    public void leave(int node) {
        host(node).setJoined(false);
    }

    /**
     * Runs until a condition holds, which is checked before the first and after every event, or
     * until the clock would pass a limit. Can be called again to run on.
     */
    public RunResult runUntil(BooleanSupplier done, long limitNs) {
        Fabric network = start();
        while (!done.getAsBoolean()) {
            if (kernel.events.isEmpty()) {
                return RunResult.IDLE;
            }
            if (kernel.events.nextTimeNs() > limitNs) {
                kernel.advanceTo(Math.max(limitNs, kernel.nowNs()));
                return RunResult.TIME_LIMIT;
            }
            next(network);
        }
        return RunResult.DONE;
    }

    /** Runs until nothing will ever happen again, or to a limit. */
    public RunResult run(long limitNs) {
        return runUntil(() -> false, limitNs);
    }

    /** Virtual time. */
    public long nowNs() {
        return kernel.nowNs();
    }

    /** The seed that all randomness comes from. */
    public long seed() {
        return seed;
    }

    /** How many nodes there are. */
    public int nodeCount() {
        return kernel.hosts.size();
    }

    /** How many events have happened. */
    public long eventCount() {
        return eventCount;
    }

    /** A node's counters, which count on. */
    public NodeCounters counters(int node) {
        return host(node).counters();
    }

    /** How many datagrams and copies did not fit into a trunk's queue. */
    public long droppedAtTrunks() {
        return fabric == null ? 0 : fabric.droppedAtTrunks();
    }

    /**
     * A hash over time, addresses, length and content of all that was sent, delivered or dropped.
     */
    public long traceHash() {
        return kernel.trace.hash();
    }

    /** The last events in words, oldest first, as many as {@link #keepLog} asked for. */
    public List<String> log() {
        return kernel.trace.lines();
    }

    private Host host(int node) {
        return kernel.hosts.get(node);
    }

    private Fabric start() {
        Fabric network = fabric;
        if (network == null) {
            network = new Fabric(kernel, topology, new FaultLayers(plan, seed, nodeCount()));
            fabric = network;
            plan.nodeFaults().forEach(this::schedule);
        }
        return network;
    }

    private void schedule(NodeFault fault) {
        Host host = host(fault.node());
        switch (fault) {
            case NodeFault.Pause(int _, long fromNs, long untilNs) -> {
                at(fromNs, host::pause);
                at(untilNs, host::resume);
            }
            case NodeFault.Crash(int _, long atNs) -> at(atNs, host::crash);
        }
    }

    private void next(Fabric network) {
        EventQueue events = kernel.events;
        events.poll();
        eventCount++;
        kernel.advanceTo(events.timeNs());
        switch (events.kind()) {
            case AT_SWITCH -> network.arrive((Datagram) events.payload());
            case FORWARD -> network.forward((Datagram) events.payload());
            case OVER_TRUNK -> network.overTrunk(events.node(), (Datagram) events.payload());
            case AT_HOST -> host(events.node()).arrive((Datagram) events.payload());
            case READ -> host(events.node()).read();
            case TURN -> host(events.node()).turn();
            case UPLINK_ROOM -> host(events.node()).uplinkRoom();
            case DEADLINE -> host(events.node()).deadline();
            case TOUCH -> host(events.node()).touch();
            case ACTION -> ((Runnable) events.payload()).run();
        }
    }
}
