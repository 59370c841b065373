package org.madcast.packaging;

import java.io.IOException;
import java.net.ServerSocket;

/** Ports that nobody listens on. */
final class FreePorts {

    private FreePorts() {}

    /** One that was free a moment ago. */
    static int next() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
