package org.madcast.netsim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;

/** Buffers for datagrams in flight, cut from native slabs that live as long as the simulation. */
final class DatagramPool {

    private static final int SLAB_DATAGRAMS = 32;
    private static final long ALIGNMENT_BYTES = 64;

    private final int maxDatagramBytes;
    private final Arena arena = Arena.ofAuto();
    private final ArrayDeque<Datagram> free = new ArrayDeque<>();
    private final CRC32C checksum = new CRC32C();

    DatagramPool(int maxDatagramBytes) {
        this.maxDatagramBytes = maxDatagramBytes;
    }

    Datagram acquire() {
        if (free.isEmpty()) {
            addSlab();
        }
        return free.pop();
    }

    void giveBack(Datagram datagram) {
        free.push(datagram);
    }

    CRC32C checksum() {
        return checksum;
    }

    private void addSlab() {
        long stride = (maxDatagramBytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
        MemorySegment slab = arena.allocate(stride * SLAB_DATAGRAMS, ALIGNMENT_BYTES);
        for (int i = 0; i < SLAB_DATAGRAMS; i++) {
            free.push(new Datagram(this, slab.asSlice(i * stride, maxDatagramBytes)));
        }
    }
}
