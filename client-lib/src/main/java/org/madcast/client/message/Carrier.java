package org.madcast.client.message;

import java.lang.foreign.MemorySegment;

/**
 * Brings frames to other ranks. Frames to one rank arrive complete and in order, or not at all from
 * some point on; then {@link Events#onLost} follows. Called under the endpoint's lock, as are the
 * events.
 */
interface Carrier {

    /** What a carrier reports. */
    interface Events {

        /**
         * A frame's header has arrived.
         *
         * @return where its body goes, for a frame with a body
         */
        Landing onFrame(int peer, FrameHeader header);

        /** All bytes of a body have been stored. */
        void onBody(int peer, Landing landing);

        /** The frame is out of the caller's memory, which may be used again. */
        void onSent(int peer, Frame frame);

        /** A frame from this rank to itself. */
        default void onOwn(int self, Frame frame) {
            Landing landing = onFrame(self, frame.header());
            if (frame.header().bodyBytes() > 0) {
                long bytes = Math.min(frame.body().byteSize(), landing.target().byteSize());
                MemorySegment.copy(frame.body(), 0, landing.target(), 0, bytes);
                onBody(self, landing);
            }
            onSent(self, frame);
        }

        /** Nothing more will arrive from the peer, and nothing reaches it. */
        void onLost(int peer, String reason);
    }

    /**
     * A frame on its way.
     *
     * @param header its header
     * @param body its body; not touched by the owner until {@link Events#onSent}
     * @param owner what {@link Events#onSent} needs
     */
    record Frame(FrameHeader header, MemorySegment body, Object owner) {}

    /**
     * Where the body of an arriving frame goes.
     *
     * @param target memory for the body; shorter than the body when the rest is to be dropped
     * @param owner what {@link Events#onBody} needs
     */
    record Landing(MemorySegment target, Object owner) {}

    /** Queues a frame. Never blocks. */
    void send(int peer, Frame frame);
}
