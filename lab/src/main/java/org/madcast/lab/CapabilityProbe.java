package org.madcast.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds out what {@link LabCapability} says. */
final class CapabilityProbe {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;

    private CapabilityProbe() {}

    static LabCapability check() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return no("a lab needs Linux", "run it on Linux, or in a virtual machine with Linux");
        }
        for (String tool : List.of("ip", "tc", "bridge", "nsenter")) {
            if (Commands.find(tool).isEmpty()) {
                return no(
                        "the command '" + tool + "' is missing",
                        "install " + Commands.PACKAGES.get(tool));
            }
        }
        if (!privileged()) {
            return no(
                    "this process may not make network namespaces",
                    "run as root, in a container with CAP_SYS_ADMIN and CAP_NET_ADMIN");
        }
        return probe();
    }

    private static LabCapability probe() {
        String name = LabSpec.ofHosts(1).name() + "-probe";
        try {
            Commands.run("ip", List.of("netns", "add", name));
            Commands.run(
                    "ip",
                    List.of("-n", name, "-batch", "-"),
                    """
                    link add br0 type bridge mcast_snooping 1 mcast_querier 1
                    link add p0 type veth peer name eth0
                    link set p0 master br0
                    """);
            String shaped = Wiring.shape("p0", LinkRate.parse("100mbit")) + "\n";
            Commands.run("tc", List.of("-n", name, "-batch", "-"), shaped);
            return new LabCapability.Available(enter(name));
        } catch (LabException e) {
            return no(
                    "the kernel refused: " + e.getMessage(),
                    "use a kernel with network namespaces, veth, bridge with IGMP snooping, tbf");
        } catch (UnsupportedOperationException e) {
            return no(
                    "native access is denied to this program",
                    "start Java with --enable-native-access=ALL-UNNAMED, or =org.madcast.nativecalls");
        } finally {
            remove(name);
        }
    }

    /** Enters the namespace, and says whether rules can be set in it. */
    private static boolean enter(String name) {
        try {
            Namespaces.call(name, () -> Files.exists(Path.of("/proc/thread-self")));
        } catch (IOException e) {
            throw new LabException("cannot look around in " + name + ": " + e, e);
        }
        if (Commands.find("nft").isEmpty()) {
            return false;
        }
        try {
            String rules = PacketFilter.arrivingLoss(1) + PacketFilter.portLoss("p0", 1);
            Commands.runInside(name, "nft", List.of("-f", "-"), rules);
            return true;
        } catch (LabException e) {
            return false;
        }
    }

    private static void remove(String name) {
        try {
            if (Namespaces.exists(name)) {
                Commands.run("ip", List.of("netns", "delete", name));
            }
        } catch (LabException e) {
            System.getLogger(CapabilityProbe.class.getName())
                    .log(System.Logger.Level.WARNING, "namespace {0} is left over", name);
        }
    }

    private static boolean privileged() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(held -> has(held, CAP_NET_ADMIN) && has(held, CAP_SYS_ADMIN));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean has(long held, int capability) {
        return (held >>> capability & 1) == 1;
    }

    private static LabCapability no(String reason, String cure) {
        return new LabCapability.Unavailable(reason, cure);
    }
}
