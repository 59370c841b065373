package org.madcast.agent.node;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What this host calls itself. */
public final class HostName {

    private HostName() {}

    /** Its name, or that text when it has none that resolves. Asking may take a while. */
    public static String orElse(String nameless) {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return nameless;
        }
    }
}
