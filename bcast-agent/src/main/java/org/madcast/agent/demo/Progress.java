package org.madcast.agent.demo;

import java.util.Locale;
import org.madcast.agent.process.Parent;
import org.madcast.client.Communicator;

/** Tells the parent ten times a second which part of the file has arrived; by one rank only. */
final class Progress implements AutoCloseable {

    private static final long PERIOD_MS = 100;
    private static final int TELLER = 1;

    private final Communicator communicator;
    private final double fragments;
    private final Thread teller;

    Progress(Communicator communicator, long lengthBytes) {
        this.communicator = communicator;
        this.fragments = (double) lengthBytes / communicator.info().local().datagramBytes();
        Thread.Builder builder = Thread.ofPlatform().daemon().name("progress");
        this.teller = builder.unstarted(this::tell);
        if (communicator.rank() == TELLER) {
            teller.start();
        }
    }

    private void tell() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MS);
                double part = Math.min(1, communicator.statistics().fragmentsUseful() / fragments);
                Parent.tell(
                        String.format(Locale.ROOT, "{\"event\":\"progress\",\"part\":%.3f}", part));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        teller.interrupt();
    }
}
