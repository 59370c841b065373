package org.madcast.mpi.file;

import java.io.IOException;
import org.madcast.mpi.datatype.TypeMap;

/**
 * Which bytes of a file a rank sees, in which order (MPI's view): from the displacement on, one
 * file type behind the other. The data of all of them is a stream, of which offsets count etypes.
 *
 * @param displacement where the first file type begins, in bytes
 * @param etypeBytes the length of an etype
 * @param filetype where the data are; its size is a multiple of the etype's
 */
public record View(long displacement, long etypeBytes, TypeMap filetype) {

    /** The whole file, byte by byte: what a file has that was just opened. */
    public static final View BYTES = new View(0, 1, TypeMap.basic(1, 1));

    /** Gets the blocks of a file. */
    @FunctionalInterface
    public interface Blocks {
        /**
         * So many bytes at this place of the file.
         *
         * @return whether to go on
         */
        boolean block(long position, long bytes) throws IOException;
    }

    /** Checks the types. */
    public View {
        if (etypeBytes <= 0) {
            throw new IllegalArgumentException("the etype has no data");
        }
        if (filetype.size() <= 0 || filetype.size() % etypeBytes != 0) {
            throw new IllegalArgumentException(
                    "the file type has %d bytes, not a multiple of the etype's %d"
                            .formatted(filetype.size(), etypeBytes));
        }
        checkOrder(filetype);
    }

    private static void checkOrder(TypeMap filetype) {
        long end = 0;
        for (TypeMap.Run run : filetype.runs()) {
            if (run.offset() < end || (run.blocks() > 1 && run.stride() < run.bytes())) {
                throw new IllegalArgumentException(
                        "the file type's displacements must be 0 or more, ascend and not overlap");
            }
            end = run.offset() + (run.blocks() - 1) * run.stride() + run.bytes();
        }
        if (filetype.extent() < end - filetype.runs().getFirst().offset()) {
            throw new IllegalArgumentException(
                    "the file type's extent of %d bytes is shorter than its data"
                            .formatted(filetype.extent()));
        }
    }

    /** Visits the blocks that this many bytes of data from an offset on have in the file. */
    public void forEachBlock(long offset, long bytes, Blocks visitor) throws IOException {
        long skip = Math.multiplyExact(offset, etypeBytes);
        if (filetype.isDense()) {
            boolean _ = bytes > 0 && visitor.block(Math.addExact(displacement, skip), bytes);
            return;
        }
        long tile = skip / filetype.size();
        skip %= filetype.size();
        long left = bytes;
        while (left > 0) {
            long base = displacement + tile * filetype.extent();
            tile++;
            for (TypeMap.Run run : filetype.runs()) {
                long data = run.bytes() * run.blocks();
                if (skip >= data) {
                    skip -= data;
                    continue;
                }
                for (long at = skip; at < data && left > 0; ) {
                    long within = at % run.bytes();
                    long length = Math.min(run.bytes() - within, left);
                    long block = base + run.offset() + at / run.bytes() * run.stride();
                    if (!visitor.block(block + within, length)) {
                        return;
                    }
                    at += length;
                    left -= length;
                }
                skip = 0;
            }
        }
    }

    /** Where a byte of the data is in the file. */
    long position(long dataByte) {
        if (filetype.isDense()) {
            return Math.addExact(displacement, dataByte);
        }
        long base = displacement + dataByte / filetype.size() * filetype.extent();
        long rest = dataByte % filetype.size();
        for (TypeMap.Run run : filetype.runs()) {
            long data = run.bytes() * run.blocks();
            if (rest < data) {
                return base + run.offset() + rest / run.bytes() * run.stride() + rest % run.bytes();
            }
            rest -= data;
        }
        throw new IllegalStateException("a file type is shorter than its size");
    }

    /** Where an etype is in the file, in bytes (MPI_File_get_byte_offset). */
    public long byteOffset(long offset) {
        return position(Math.multiplyExact(offset, etypeBytes));
    }

    /** The first offset whose etype begins at or behind a byte of the file: its end in the view. */
    public long offsetAt(long filePosition) {
        long low = 0;
        long high = Math.max(0, filePosition - displacement) / etypeBytes + 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (byteOffset(middle) < filePosition) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
