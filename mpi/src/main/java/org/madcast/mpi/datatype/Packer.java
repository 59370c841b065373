package org.madcast.mpi.datatype;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.madcast.mpi.datatype.TypeMap.Run;

/** Copies the data of elements between a buffer and a message, in the order of the type map. */
public final class Packer {

    /** Gets the blocks of data in the order of the message. */
    @FunctionalInterface
    public interface Blocks {
        /** A block of {@code bytes} bytes at this place of the buffer. */
        void block(long place, long bytes);
    }

    private Packer() {}

    /** Packs elements, the first of which is at {@code place} of the buffer. */
    public static void pack(
            TypeMap type, MemorySegment buffer, long place, long count, MemorySegment packed) {
        copy(type, buffer, place, count, packed, true);
    }

    /**
     * Unpacks a message that may be shorter than {@code count} elements: what it does not have is
     * not changed.
     */
    public static void unpack(
            TypeMap type, MemorySegment packed, MemorySegment buffer, long place, long count) {
        copy(type, buffer, place, count, packed, false);
    }

    private static void copy(
            TypeMap type,
            MemorySegment buffer,
            long place,
            long count,
            MemorySegment packed,
            boolean packs) {
        if (type.isDense()) {
            move(buffer, place, packed, 0, Math.min(count * type.size(), packed.byteSize()), packs);
            return;
        }
        long at = 0;
        long end = packed.byteSize();
        for (long i = 0; i < count && at < end; i++) {
            long base = place + i * type.extent();
            for (Run run : type.runs()) {
                for (long block = 0; block < run.blocks() && at < end; block++) {
                    long bytes = Math.min(run.bytes(), end - at);
                    move(
                            buffer,
                            base + run.offset() + block * run.stride(),
                            packed,
                            at,
                            bytes,
                            packs);
                    at += bytes;
                }
            }
        }
    }

    private static void move(
            MemorySegment buffer,
            long place,
            MemorySegment packed,
            long at,
            long bytes,
            boolean packs) {
        MemorySegment from = packs ? buffer : packed;
        MemorySegment to = packs ? packed : buffer;
        long source = packs ? place : at;
        long target = packs ? at : place;
        if (bytes == Long.BYTES) {
            to.set(JAVA_LONG_UNALIGNED, target, from.get(JAVA_LONG_UNALIGNED, source));
        } else if (bytes == Integer.BYTES) {
            to.set(JAVA_INT_UNALIGNED, target, from.get(JAVA_INT_UNALIGNED, source));
        } else {
            MemorySegment.copy(from, source, to, target, bytes);
        }
    }

    /** Visits the blocks of elements, the first of which is at {@code place}. */
    public static void forEachBlock(TypeMap type, long place, long count, Blocks visitor) {
        for (long i = 0; i < count; i++) {
            long base = place + i * type.extent();
            for (Run run : type.runs()) {
                for (long block = 0; block < run.blocks(); block++) {
                    visitor.block(base + run.offset() + block * run.stride(), run.bytes());
                }
            }
        }
    }
}
