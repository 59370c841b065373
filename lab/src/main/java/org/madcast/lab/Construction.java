package org.madcast.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Makes and unmakes what {@link Wiring} says. One thread at a time for a lab. */
final class Construction {
    /** Longer than the query response interval, during which a new querier still floods. */
    private static final Duration QUERIER_SETTLES = Duration.ofMillis(150);

    private static final Duration SWITCHES_SETTLE = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);
    private static final Path IPV4 = Path.of("/proc/sys/net/ipv4");
    private static final Path IPV6 = Path.of("/proc/sys/net/ipv6/conf");
    private static final Path BRIDGE = Path.of("/proc/sys/net/bridge");

    private final LabState lab;
    private final Wiring wiring;

    Construction(LabState lab) {
        this.lab = lab;
        wiring = new Wiring(lab);
    }

    /** Makes all of it and comes back when frames go where they should, and only there. */
    void build() {
        Commands.run("ip", List.of("-batch", "-"), wiring.namespaces());
        prepareKernel();
        String switches = lab.switchNamespace();
        Commands.run("ip", List.of("-n", switches, "-batch", "-"), wiring.switches());
        long settledNs = System.nanoTime() + QUERIER_SETTLES.toNanos();
        buildHosts();
        String rates = wiring.switchRates();
        if (!rates.isEmpty()) {
            Commands.run("tc", List.of("-n", switches, "-batch", "-"), rates);
        }
        awaitSwitches(settledNs);
    }

    /** Takes down what there is of it; what is not there is no error. */
    void demolish() {
        List<String> existing = lab.namespaces().stream().filter(Namespaces::exists).toList();
        NamespaceProcesses.end(existing);
        if (existing.contains(lab.switchNamespace())) {
            // A socket that a process still holds keeps its namespace alive, but no cable.
            attempt(
                    List.of("-n", lab.switchNamespace(), "-batch", "-"),
                    "link delete group " + Wiring.CABLE_GROUP + "\n");
        }
        StringBuilder batch = new StringBuilder();
        existing.forEach(name -> batch.append("netns delete ").append(name).append('\n'));
        Optional<LabException> failure =
                attempt(List.of("-force", "-batch", "-"), batch.toString());
        if (existing.stream().anyMatch(Namespaces::exists)) {
            throw failure.orElseGet(
                    () -> new LabException("namespaces are left over: " + existing));
        }
    }

    /** Another process may be taking it down as well: only that it is gone counts. */
    private static Optional<LabException> attempt(List<String> arguments, String batch) {
        try {
            Commands.run("ip", arguments, batch);
            return Optional.empty();
        } catch (LabException e) {
            return Optional.of(e);
        }
    }

    private void buildHosts() {
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> hosts = new ArrayList<>();
            IntStream.range(0, lab.spec().hosts())
                    .forEach(host -> hosts.add(workers.submit(() -> buildHost(host))));
            for (Future<?> host : hosts) {
                host.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while making hosts", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LabException failure) {
                throw failure;
            }
            throw new LabException("cannot make the hosts: " + e.getCause(), e);
        }
    }

    private void buildHost(int host) {
        String name = lab.hostNamespace(host);
        Commands.run("ip", List.of("-n", name, "-batch", "-"), wiring.host(host));
        wiring.hostRate(host)
                .ifPresent(rate ->
                        Commands.run(
                                "tc",
                                List.of("-n", name, "-batch", "-"),
                                Wiring.shape(Wiring.HOST_INTERFACE, rate) + "\n"));
        if (lab.spec().lossPercent() > 0) {
            String rules = PacketFilter.arrivingLoss(lab.spec().lossPercent());
            Commands.runInside(name, "nft", List.of("-f", "-"), rules);
        }
    }

    /** Settings that must hold before the first interface comes up. */
    private void prepareKernel() {
        Map<Path, String> all = new LinkedHashMap<>();
        for (String scope : List.of("all", "default")) {
            // No waiting for duplicate addresses, and only the addresses that the lab gives.
            all.put(IPV6.resolve(scope + "/accept_dad"), "0");
            all.put(IPV6.resolve(scope + "/accept_ra"), "0");
            all.put(IPV6.resolve(scope + "/disable_ipv6"), "0");
            all.put(IPV4.resolve("conf/" + scope + "/rp_filter"), "0");
        }
        all.put(IPV4.resolve("ip_forward"), "0");
        all.put(IPV4.resolve("igmp_max_memberships"), "4096");
        // The kernel's own default, whatever this machine's is: results can be compared.
        all.put(IPV4.resolve("tcp_congestion_control"), "cubic");
        // Bridged frames are the switch's, not the firewall's.
        all.put(BRIDGE.resolve("bridge-nf-call-iptables"), "0");
        all.put(BRIDGE.resolve("bridge-nf-call-ip6tables"), "0");
        for (String namespace : lab.namespaces()) {
            try {
                Namespaces.call(
                        namespace,
                        () -> {
                            write(all);
                            return true;
                        });
            } catch (IOException e) {
                throw new LabException("cannot set up " + namespace + ": " + e, e);
            }
        }
    }

    private static void write(Map<Path, String> settings) throws IOException {
        for (Map.Entry<Path, String> setting : settings.entrySet()) {
            if (Files.exists(setting.getKey())) {
                Files.writeString(setting.getKey(), setting.getValue());
            }
        }
    }

    private void awaitSwitches(long settledNs) {
        long deadlineNs = System.nanoTime() + SWITCHES_SETTLE.toNanos();
        while (true) {
            String waitingFor =
                    System.nanoTime() - settledNs < 0 ? "the querier is new" : unsettled();
            if (waitingFor.isEmpty()) {
                return;
            }
            if (System.nanoTime() - deadlineNs > 0 || Thread.currentThread().isInterrupted()) {
                throw new LabException("the switches did not settle: " + waitingFor);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /**
     * A port that does not forward yet or a switch that has not heard the querier; empty if none.
     */
    private String unsettled() {
        String switches = lab.switchNamespace();
        List<String> ports =
                Commands.run("bridge", List.of("-n", switches, "link", "show")).lines().toList();
        int expected = lab.spec().hosts() + 2 * (lab.spec().switches() - 1);
        long forwarding = ports.stream().filter(line -> line.contains("state forwarding")).count();
        if (forwarding < expected) {
            return forwarding + " of " + expected + " ports forward";
        }
        if (lab.spec().switches() == 1) {
            return "";
        }
        String table = Commands.run("bridge", List.of("-n", switches, "-d", "mdb", "show"));
        return IntStream.range(1, lab.spec().switches())
                .filter(number -> !GroupTable.knowsQuerier(table, Wiring.bridge(number)))
                .mapToObj(number -> Wiring.bridge(number) + " knows no querier")
                .findFirst()
                .orElse("");
    }
}
