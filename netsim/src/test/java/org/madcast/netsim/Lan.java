package org.madcast.netsim;

import java.util.ArrayList;
import java.util.List;

/** A simulation of stations, as the tests here use it. */
final class Lan {

    final Simulation simulation;
    final List<Station> stations = new ArrayList<>();

    Lan(int count, HostModel model, FaultPlan plan, long seed) {
        this(count, model, Framing.ETHERNET, plan, seed);
    }

    Lan(int count, HostModel model, Framing framing, FaultPlan plan, long seed) {
        simulation = new Simulation(framing, plan, seed);
        for (int i = 0; i < count; i++) {
            Station station = new Station();
            stations.add(station);
            simulation.addNode(station, model);
        }
    }

    Station station(int index) {
        return stations.get(index);
    }

    NodeCounters counters(int index) {
        return simulation.counters(index);
    }

    /** Sends one datagram of 100 bytes at a time. */
    void sendAt(long timeNs, int from, int to, int number) {
        simulation.at(
                timeNs,
                () -> {
                    station(from).send(to, 100, number);
                    simulation.touch(from);
                });
    }

    RunResult run() {
        return simulation.run(Long.MAX_VALUE);
    }
}
