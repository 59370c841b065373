package org.madcast.agent.push;

import org.madcast.agent.process.ProcessEnd;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;

/**
 * Does once, on a thread beside the one that still reads the command line, what every push does a
 * little later: makes a communicator, of one rank, and finds how the process will end. What takes
 * long the first time, native calls and sockets, is loaded then. Nothing depends on it: what fails
 * here is reported by the push itself, if it fails there too.
 */
final class ClassPreload {

    private ClassPreload() {}

    static void start() {
        Thread _ = Thread.ofPlatform().daemon().name("make-ready").start(ClassPreload::run);
    }

    private static void run() {
        try {
            joinAlone();
            ProcessEnd.makeReady();
        } catch (MadcastException _) {
            // The push will tell.
        }
    }

    private static void joinAlone() {
        Communicator.join(
                        CommunicatorConfig.builder("make-ready", 0, 1)
                                .networkInterface("lo")
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .build())
                .close();
    }
}
