package org.madcast.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A host of a lab: where its processes run, and how it is reached. Immutable, any thread. Processes
 * belong to their starter; the lab ends those that are left when it is taken down.
 */
public final class LabHost {
    private final LabState lab;
    private final int index;

    LabHost(LabState lab, int index) {
        this.lab = lab;
        this.index = index;
    }

    /** 0 to hosts - 1. */
    public int index() {
        return index;
    }

    /** The host's network namespace, which is its name as well. */
    public String namespace() {
        return lab.hostNamespace(index);
    }

    /** The switch that its cable ends in. */
    public int switchNumber() {
        return lab.switchOf(index);
    }

    /** The host's IPv4 address, reachable from the lab's other hosts. */
    public InetAddress address() {
        return lab.subnet().host(index);
    }

    /** The host's IPv6 address, a unique local one. */
    public InetAddress address6() {
        return lab.subnet().host6(index);
    }

    /** The interface to join and send multicast on. */
    public String interfaceName() {
        return Wiring.HOST_INTERFACE;
    }

    /** The command line that runs this command in the host; it replaces itself by the command. */
    public List<String> command(List<String> command) {
        List<String> inside = new ArrayList<>(Commands.entering(namespace()));
        inside.addAll(command);
        return List.copyOf(inside);
    }

    /**
     * Starts the builder's command in this host; the builder itself stays as it was. The process id
     * is the command's own.
     *
     * @throws IOException when the process cannot be started; a command that does not exist is
     *     reported by nsenter with exit code 127
     */
    public Process start(ProcessBuilder builder) throws IOException {
        List<String> plain = List.copyOf(builder.command());
        try {
            return builder.command(command(plain)).start();
        } finally {
            builder.command(new ArrayList<>(plain));
        }
    }

    /** Runs code of this JVM in the host, to open sockets there: {@link Namespaces#call}. */
    public <T> T call(Callable<T> action) throws IOException {
        return Namespaces.call(namespace(), action);
    }

    @Override
    public String toString() {
        return namespace() + " (" + address().getHostAddress() + ")";
    }
}
