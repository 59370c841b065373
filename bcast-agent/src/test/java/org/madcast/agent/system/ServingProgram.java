package org.madcast.agent.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code madcast serve} on free ports, with its data in the directory {@code data} of a test's. */
final class ServingProgram {

    private final Program program;
    private final int port;
    private final int madcapPort;

    private ServingProgram(Program program, int port, int madcapPort) {
        this.program = program;
        this.port = port;
        this.madcapPort = madcapPort;
    }

    /** Starts it and returns when it is ready. */
    static ServingProgram start(Path directory) throws IOException {
        int port = Program.freePort();
        int madcapPort = Program.freePort();
        Program program =
                Program.start(
                        Files.createDirectory(directory.resolve("serving")),
                        "serve",
                        "--port",
                        Integer.toString(port),
                        "--data-dir",
                        directory.resolve("data").toString(),
                        "--",
                        "--madcast.madcap.port=" + madcapPort);
        try {
            program.awaitSaid("Ready");
        } catch (AssertionError failed) {
            program.close();
            throw failed;
        }
        return new ServingProgram(program, port, madcapPort);
    }

    String uri() {
        return "http://127.0.0.1:" + port;
    }

    int madcapPort() {
        return madcapPort;
    }

    /** Has it end by itself, its database too, and leaves nothing of it behind. */
    void end() throws InterruptedException {
        try (program) {
            program.terminate();
            program.await();
            program.await("its database ends", () -> program.descendants("").isEmpty());
        }
    }
}
