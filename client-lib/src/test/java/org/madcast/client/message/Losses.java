package org.madcast.client.message;

import java.util.List;

/** Notes who is lost; no frame may come. */
record Losses(List<String> lost) implements Carrier.Events {

    @Override
    public Carrier.Landing onFrame(int peer, FrameHeader header) {
        throw new AssertionError("a frame without a sender");
    }

    @Override
    public void onBody(int peer, Carrier.Landing landing) {}

    @Override
    public void onSent(int peer, Carrier.Frame frame) {}

    @Override
    public void onLost(int peer, String reason) {
        lost.add(peer + ": " + reason);
    }
}
