package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Packing of elements into bytes and back. Packed elements have their data one behind the other;
 * objects have their length, an int, in front.
 */
abstract class CommPacking extends CommMpiJavaMessages {

    CommPacking(@Nullable CommState state) {
        super(state);
    }

    private static byte[] packed(Object buffer, int offset, int count, Datatype type) {
        Payload payload = Payload.toSend(buffer, offset, count, type);
        byte[] data = payload.memory().toArray(ValueLayout.JAVA_BYTE);
        if (!payload.isObjects()) {
            return data;
        }
        MemorySegment framed = MemorySegment.ofArray(new byte[Integer.BYTES + data.length]);
        framed.set(ValueLayout.JAVA_INT_UNALIGNED, 0, data.length);
        framed.asSlice(Integer.BYTES).copyFrom(MemorySegment.ofArray(data));
        return framed.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Unpacks from a position on; returns the position behind. */
    private static int unpacked(
            byte[] from, int position, Object buffer, int offset, int count, Datatype type) {
        Payload payload = Payload.toReceive(buffer, offset, count, type);
        MemorySegment all = MemorySegment.ofArray(from);
        boolean objects = payload.isObjects();
        checkRoom(position, objects ? Integer.BYTES : payload.size(), from.length);
        if (!objects) {
            payload.memory().copyFrom(all.asSlice(position, payload.size()));
            payload.arrived(payload.size());
            return position + (int) payload.size();
        }
        int length = all.get(ValueLayout.JAVA_INT_UNALIGNED, position);
        int start = position + Integer.BYTES;
        checkRoom(start, length, from.length);
        payload.memoryFor(length).copyFrom(all.asSlice(start, length));
        payload.arrived(length);
        return start + length;
    }

    private static void checkRoom(int position, long bytes, int capacity) {
        if (position < 0) {
            throw new MPIException(ErrorClass.ARG, "position is " + position + ", less than 0");
        }
        if (bytes < 0 || bytes > capacity - position) {
            throw new MPIException(
                    ErrorClass.TRUNCATE,
                    "%d bytes from position %d on, in a buffer of %d bytes"
                            .formatted(bytes, position, capacity));
        }
    }

    private static byte[] given(byte[] packed) {
        if (packed == null) {
            throw new MPIException(ErrorClass.BUFFER, "the array of packed data is null");
        }
        return packed;
    }

    private static int put(byte[] data, byte[] outbuf, int position) {
        checkRoom(position, data.length, given(outbuf).length);
        System.arraycopy(data, 0, outbuf, position, data.length);
        return position + data.length;
    }

    /** Packs elements; returns the position behind them (MPI_Pack). */
    public int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position)
            throws MPIException {
        try {
            return put(packed(inbuf, 0, incount, type), outbuf, position);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Unpacks elements; returns the position behind them (MPI_Unpack). */
    public int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
            throws MPIException {
        try {
            return unpacked(given(inbuf), position, outbuf, 0, outcount, type);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** How many bytes elements have when they are packed (MPI_Pack_size). */
    public int packSize(int incount, Datatype type) throws MPIException {
        try {
            if (incount < 0) {
                throw new MPIException(ErrorClass.COUNT, "incount is " + incount + ", less than 0");
            }
            if (Datatype.given(type).base() == org.madcast.mpi.datatype.ElementKind.OBJECT) {
                throw new MPIException(
                        ErrorClass.TYPE, "how long objects are is known only when they are packed");
            }
            long bytes = incount * type.map().size();
            if (bytes > Integer.MAX_VALUE) {
                throw new MPIException(
                        ErrorClass.COUNT, incount + " elements have more bytes than an int counts");
            }
            return (int) bytes;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #packSize}. */
    public int Pack_size(int incount, Datatype datatype) throws MPIException {
        return packSize(incount, datatype);
    }

    /** Packs elements; returns the position behind them (MPI_Pack). */
    public int Pack(
            Object inbuf,
            int offset,
            int incount,
            Datatype datatype,
            mpjbuf.Buffer outbuf,
            int position)
            throws MPIException {
        try {
            byte[] data = packed(inbuf, offset, incount, datatype);
            int end = Math.max(outbuf.getSize(), outbuf.getCapacity());
            if (position > end) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "position %d is behind the buffer's end, %d".formatted(position, end));
            }
            checkRoom(position, data.length, Integer.MAX_VALUE);
            outbuf.put(position, data);
            return position + data.length;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Unpacks elements; returns the position behind them (MPI_Unpack). */
    public int Unpack(
            mpjbuf.Buffer inbuf,
            int position,
            Object outbuf,
            int offset,
            int outcount,
            Datatype datatype)
            throws MPIException {
        try {
            return unpacked(inbuf.toByteArray(), position, outbuf, offset, outcount, datatype);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Packs elements into an array, as mpiJava's specification has it (MPI_Pack). */
    public int Pack(
            Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        try {
            return put(packed(inbuf, offset, incount, datatype), outbuf, position);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Unpacks elements of an array, as mpiJava's specification has it (MPI_Unpack). */
    public int Unpack(
            byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        try {
            return unpacked(given(inbuf), position, outbuf, offset, outcount, datatype);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}
