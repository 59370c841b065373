package org.madcast.lab;

/**
 * What a host has sent and received since the lab was made. Link counters are those of its cable
 * (whole frames, without preamble and checksum), UDP counters those of its kernel.
 *
 * @param sentBytes with Ethernet headers
 * @param receivedBytes with Ethernet headers
 * @param udpDatagramsSent IPv4 only, as all UDP counters
 * @param udpDatagramsReceived given to a socket
 * @param udpErrors arrived but not given to a socket, the next one included
 * @param udpBufferOverflows dropped because the socket's receive buffer was full
 */
public record HostCounters(
        long sentBytes,
        long sentPackets,
        long receivedBytes,
        long receivedPackets,
        long udpDatagramsSent,
        long udpDatagramsReceived,
        long udpErrors,
        long udpBufferOverflows) {

    /** What was added since an earlier reading of the same host. */
    public HostCounters since(HostCounters earlier) {
        return new HostCounters(
                sentBytes - earlier.sentBytes,
                sentPackets - earlier.sentPackets,
                receivedBytes - earlier.receivedBytes,
                receivedPackets - earlier.receivedPackets,
                udpDatagramsSent - earlier.udpDatagramsSent,
                udpDatagramsReceived - earlier.udpDatagramsReceived,
                udpErrors - earlier.udpErrors,
                udpBufferOverflows - earlier.udpBufferOverflows);
    }

    /**
     * Reads the kernel's own tables.
     *
     * @param devices /proc/net/dev of the namespace
     * @param protocols /proc/net/snmp of the namespace
     */
    static HostCounters read(String devices, String protocols, String device) {
        String[] link = null;
        for (String line : devices.lines().toList()) {
            String[] parts = line.strip().split(":", 2);
            if (parts.length == 2 && parts[0].equals(device)) {
                link = parts[1].strip().split("\\s+", -1);
            }
        }
        if (link == null) {
            throw new LabException("no counters of " + device);
        }
        String[] udp = protocols.lines().filter(l -> l.startsWith("Udp: ")).toArray(String[]::new);
        return new HostCounters(
                Long.parseLong(link[8]),
                Long.parseLong(link[9]),
                Long.parseLong(link[0]),
                Long.parseLong(link[1]),
                udpValue(udp, "OutDatagrams"),
                udpValue(udp, "InDatagrams"),
                udpValue(udp, "InErrors"),
                udpValue(udp, "RcvbufErrors"));
    }

    private static long udpValue(String[] headingAndValues, String name) {
        String[] names = headingAndValues[0].split(" ", -1);
        for (int column = 1; column < names.length; column++) {
            if (names[column].equals(name)) {
                return Long.parseLong(headingAndValues[1].split(" ", -1)[column]);
            }
        }
        throw new LabException("the kernel has no UDP counter " + name);
    }
}
