package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.File;
import mpi.Info;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** Files: the rules of the standard's chapter, on any number of ranks. */
public final class FileAccesses {

    private static final int NEW = MPI.MODE_CREATE | MPI.MODE_RDWR;
    private static final int OWN = NEW | MPI.MODE_DELETE_ON_CLOSE;

    private static Path directory;
    private static int rank;
    private static int size;

    private FileAccesses() {}

    /** Begins here; the argument is an empty directory. */
    public static void main(String[] args) throws IOException {
        String[] own = MPI.Init(args);
        directory = Path.of(own[0]);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        openAndClose();
        sizes();
        explicitOffsets();
        ownPointer();
        views();
        portableData();
        sharedPointer();
        ordered();
        nonBlocking();
        splitCollectives();
        atomicity();
        sequential();
        handlers();
        MPI.Finalize();
        Checks.end();
    }

    private static String path(String name) {
        return directory.resolve(name).toString();
    }

    private static File open(String name, int amode) {
        return new File(MPI.COMM_WORLD, path(name), amode);
    }

    private static void openAndClose() throws IOException {
        fails("no communicator", MPI.ERR_COMM, () -> new File(null, path("a"), NEW));
        fails("no hints", MPI.ERR_INFO, () -> new File(MPI.COMM_WORLD, path("a"), NEW, null));
        that("and no file", !Files.exists(directory.resolve("a")));
        MPI.COMM_WORLD.barrier();
        fails("no access mode", MPI.ERR_AMODE, () -> open("a", MPI.MODE_CREATE));
        fails("two modes", MPI.ERR_AMODE, () -> open("a", MPI.MODE_RDONLY | MPI.MODE_WRONLY));
        fails("create", MPI.ERR_AMODE, () -> open("a", MPI.MODE_CREATE | MPI.MODE_RDONLY));
        fails("excl", MPI.ERR_AMODE, () -> open("a", MPI.MODE_EXCL | MPI.MODE_RDONLY));
        fails("sequential", MPI.ERR_AMODE, () -> open("a", MPI.MODE_SEQUENTIAL | MPI.MODE_RDWR));
        fails("bits", MPI.ERR_AMODE, () -> open("a", 4096 | MPI.MODE_RDWR));
        fails("missing", MPI.ERR_NO_SUCH_FILE, () -> open("none", MPI.MODE_RDONLY));
        fails("no directory", MPI.ERR_NO_SUCH_FILE, () -> open("none/a", NEW));
        fails("directory", MPI.ERR_BAD_FILE, () -> open("", MPI.MODE_RDONLY));
        if (size > 1) {
            fails(
                    "modes differ",
                    MPI.ERR_NOT_SAME,
                    () -> open("b", rank == 1 ? MPI.MODE_RDONLY : NEW));
            if (rank == 0) {
                File.delete(path("b"));
            }
        }
        File made = open("a", NEW | MPI.MODE_EXCL);
        equal("mode", NEW | MPI.MODE_EXCL, made.getAMode());
        equal("group", MPI.IDENT, groupCompare(made));
        equal("empty", 0L, made.getSize());
        equal("view", MPI.BYTE, made.getView().getEType());
        equal("datarep", "native", made.getView().getDataRep());
        made.close();
        fails("closed", MPI.ERR_FILE, made::getSize);
        fails("closed twice", MPI.ERR_FILE, made::close);
        fails("exists", MPI.ERR_FILE_EXISTS, () -> open("a", NEW | MPI.MODE_EXCL));
        File reads = open("a", MPI.MODE_RDONLY);
        fails("read-only", MPI.ERR_READ_ONLY, () -> reads.write(new byte[1], 1, MPI.BYTE));
        fails("read-only size", MPI.ERR_READ_ONLY, () -> reads.setSize(1));
        reads.close();
        File writes = open("a", MPI.MODE_WRONLY | MPI.MODE_DELETE_ON_CLOSE);
        fails("write-only", MPI.ERR_ACCESS, () -> writes.read(new byte[1], 1, MPI.BYTE));
        writes.close();
        that("deleted on close", !Files.exists(Path.of(path("a"))));
        File alone = new File(MPI.COMM_SELF, path("own" + rank), NEW, new Info());
        alone.close();
        File.delete(path("own" + rank));
        fails("delete", MPI.ERR_NO_SUCH_FILE, () -> File.delete(path("own" + rank)));
        fails("delete directory", MPI.ERR_BAD_FILE, () -> File.delete(directory.toString()));
    }

    private static int groupCompare(File file) {
        return mpi.Group.compare(file.getGroup(), MPI.COMM_WORLD.getGroup());
    }

    private static void sizes() {
        File file = open("sizes", NEW | MPI.MODE_DELETE_ON_CLOSE);
        file.setSize(1000);
        equal("size", 1000L, file.getSize());
        MPI.COMM_WORLD.barrier();
        file.setSize(10);
        equal("shorter", 10L, file.getSize());
        MPI.COMM_WORLD.barrier();
        file.preallocate(600_000);
        equal("preallocated", 600_000L, file.getSize());
        MPI.COMM_WORLD.barrier();
        file.preallocate(5);
        equal("never shorter", 600_000L, file.getSize());
        fails("negative", MPI.ERR_ARG, () -> file.setSize(-1));
        if (size > 1) {
            fails("sizes differ", MPI.ERR_NOT_SAME, () -> file.setSize(rank));
        }
        file.close();
    }

    private static int[] numbers(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    private static void explicitOffsets() {
        File file = open("explicit", NEW | MPI.MODE_DELETE_ON_CLOSE);
        Status status = file.writeAtAll(40L * rank, numbers(10 * rank, 10), 10, MPI.INT);
        equal("written", 10, status.getCount(MPI.INT));
        file.sync();
        int[] all = new int[10 * size + 5];
        status = file.readAt(0, all, all.length, MPI.INT);
        equal("read up to the end", 10 * size, status.getCount(MPI.INT));
        equal("data", numbers(0, 10 * size), Arrays.copyOf(all, 10 * size));
        equal("position stays", 0L, file.getPosition());
        double[] none = {1};
        equal("at end", 0, file.readAt(40L * size, none, 1, MPI.DOUBLE).getCount(MPI.DOUBLE));
        equal("zero", 0, file.writeAt(0, none, 0, MPI.DOUBLE).getCount(MPI.DOUBLE));
        fails("negative", MPI.ERR_ARG, () -> file.readAt(-1, none, 1, MPI.DOUBLE));
        fails("count", MPI.ERR_COUNT, () -> file.readAt(0, none, -1, MPI.DOUBLE));
        fails("objects", MPI.ERR_TYPE, () -> file.writeAt(0, new Object[1], 1, MPI.OBJECT));
        fails("short buffer", MPI.ERR_BUFFER, () -> file.readAt(0, none, 2, MPI.DOUBLE));
        fails("too far", MPI.ERR_ARG, () -> file.getByteOffset(-1));
        file.close();
    }

    private static void ownPointer() {
        File file = open("own", NEW);
        file.setView(400L * rank, MPI.INT, MPI.INT, "native");
        file.write(numbers(0, 60), 60, MPI.INT);
        equal("position", 60L, file.getPosition());
        file.write(numbers(60, 40), 40, MPI.INT);
        file.sync();
        file.seek(-10, MPI.SEEK_CUR);
        int[] last = new int[10];
        equal("count", 10, file.readAll(last, 10, MPI.INT).getCount(MPI.INT));
        equal("last", numbers(90, 10), last);
        file.seek(0, MPI.SEEK_END);
        equal("end", 100L * (size - rank), file.getPosition());
        equal("byte offset", 400L * rank + 28, file.getByteOffset(7));
        fails("before the beginning", MPI.ERR_ARG, () -> file.seek(-1, MPI.SEEK_SET));
        fails("whence", MPI.ERR_ARG, () -> file.seek(0, 5));
        file.seek(-3, MPI.SEEK_END);
        Status status = file.read(last, 10, MPI.INT);
        equal("short read", 3, status.getCount(MPI.INT));
        equal("pointer at the end", 100L * (size - rank), file.getPosition());
        fails("half an etype", MPI.ERR_TYPE, () -> file.write(new byte[6], 6, MPI.BYTE));
        file.close();
        File append = open("own", MPI.MODE_RDWR | MPI.MODE_APPEND | MPI.MODE_DELETE_ON_CLOSE);
        equal("append", 400L * size, append.getPosition());
        equal("append, shared", 400L * size, append.getPositionShared());
        append.close();
    }

    /** Each rank has every size-th column of a matrix. */
    private static void views() {
        File file = open("views", NEW | MPI.MODE_DELETE_ON_CLOSE);
        int rows = 5;
        Datatype column = Datatype.createVector(rows, 1, size, MPI.INT);
        Datatype filetype = Datatype.createResized(column, 0, 4 * rows * size);
        fails("no etype", MPI.ERR_TYPE, () -> file.setView(8, null, filetype, "native"));
        fails("not committed", MPI.ERR_TYPE, () -> file.setView(8, MPI.INT, filetype, "native"));
        filetype.commit();
        file.setView(8 + 4L * rank, MPI.INT, filetype, "native");
        equal("extent", 4 * rows * size, file.getTypeExtent(filetype));
        equal("displacement", 8L + 4L * rank, file.getView().getDisp());
        int[] own = new int[3 * rows];
        Arrays.setAll(own, i -> i * size + rank);
        file.writeAll(own, own.length, MPI.INT);
        file.sync();
        equal("byte offset", 8L + 4L * rank + 4L * size * (rows + 2), file.getByteOffset(rows + 2));
        int[] again = new int[4];
        file.seek(rows - 2, MPI.SEEK_SET);
        file.read(again, 4, MPI.INT);
        equal("over the border", Arrays.copyOfRange(own, rows - 2, rows + 2), again);
        file.seek(0, MPI.SEEK_END);
        equal("end in the view", 3L * rows, file.getPosition());
        file.setView(8, MPI.BYTE, MPI.BYTE, "native");
        int[] all = new int[3 * rows * size];
        equal("all", all.length, file.read(all, all.length, MPI.INT).getCount(MPI.INT));
        equal("interleaved", numbers(0, all.length), all);
        Datatype memory = Datatype.createVector(2, 1, 3, MPI.INT);
        memory.commit();
        int[] holes = {-1, -1, -1, -1};
        file.readAt(0, holes, 1, memory);
        equal("holes in memory", new int[] {0, -1, -1, 1}, holes);
        fails(
                "datarep",
                MPI.ERR_UNSUPPORTED_DATAREP,
                () -> file.setView(0, MPI.INT, MPI.INT, "mine"));
        fails("sizes", MPI.ERR_TYPE, () -> file.setView(0, MPI.LONG, MPI.INT, "native"));
        fails("negative", MPI.ERR_ARG, () -> file.setView(-4, MPI.INT, MPI.INT, "native"));
        Datatype back = Datatype.createIndexed(new int[] {1, 1}, new int[] {1, 0}, MPI.INT);
        back.commit();
        fails("not ascending", MPI.ERR_TYPE, () -> file.setView(0, MPI.INT, back, "native"));
        file.close();
    }

    private static void portableData() {
        File file = new File(MPI.COMM_SELF, path("portable" + rank), OWN);
        Datatype record =
                Datatype.createStruct(
                        new int[] {1, 2}, new int[] {0, 8}, new Datatype[] {MPI.DOUBLE, MPI.SHORT});
        record.commit();
        file.setView(0, MPI.BYTE, MPI.BYTE, "external32");
        int[] numbers = {0x01020304, -2};
        file.write(numbers, 2, MPI.INT);
        ByteBuffer records = MPI.newByteBuffer(32);
        records.putDouble(0, 2.5).putShort(8, (short) 7).putShort(10, (short) -9);
        records.putDouble(16, -1).putShort(24, (short) 1).putShort(26, (short) 2);
        file.write(records, 2, record);
        equal("the buffer stays", 0x01020304, numbers[0]);
        file.setView(0, MPI.BYTE, MPI.BYTE, "native");
        byte[] bytes = new byte[32];
        file.readAt(0, bytes, 32, MPI.BYTE);
        ByteBuffer expected = ByteBuffer.allocate(32).putInt(0x01020304).putInt(-2);
        expected.putDouble(2.5).putShort((short) 7).putShort((short) -9);
        expected.putDouble(-1).putShort((short) 1).putShort((short) 2);
        equal("first bytes first", expected.array(), bytes);
        file.setView(0, MPI.BYTE, MPI.BYTE, "external32");
        int[] again = new int[2];
        file.read(again, 2, MPI.INT);
        equal("ints", numbers, again);
        ByteBuffer back = MPI.newByteBuffer(32);
        equal("records", 2, file.read(back, 2, record).getCount(record));
        equal("records", records, back);
        fails(
                "no representation",
                MPI.ERR_UNSUPPORTED_DATAREP,
                () -> file.setView(0, MPI.BYTE, MPI.BYTE, "xdr"));
        file.close();
    }

    private static void sharedPointer() {
        File file = open("shared", NEW | MPI.MODE_DELETE_ON_CLOSE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            file.writeShared(new int[] {rank, i}, 2, MPI.INT);
        }
        MPI.COMM_WORLD.barrier();
        equal("position", 2L * rounds * size, file.getPositionShared());
        int[] all = new int[2 * rounds * size];
        file.readAt(0, all, all.length, MPI.INT);
        int[] next = new int[size];
        for (int i = 0; i < all.length; i += 2) {
            equal("a rank's order", next[all[i]]++, all[i + 1]);
        }
        file.seekShared(2, MPI.SEEK_SET);
        equal("after seek", 2L, file.getPositionShared());
        MPI.COMM_WORLD.barrier();
        int[] one = new int[2];
        equal("read", 2, file.readShared(one, 2, MPI.INT).getCount(MPI.INT));
        MPI.COMM_WORLD.barrier();
        equal("moved", 2L + 2L * size, file.getPositionShared());
        MPI.COMM_WORLD.barrier();
        file.seekShared(-2, MPI.SEEK_END);
        equal("from the end", 2L * rounds * size - 2, file.getPositionShared());
        fails("seek", MPI.ERR_ARG, () -> file.seekShared(-1, MPI.SEEK_SET));
        file.setView(0, MPI.INT, MPI.INT, "native");
        equal("a new view", 0L, file.getPositionShared());
        file.close();
        if (rank == 0) {
            equal("nothing is left", 0, directory.toFile().list().length);
        }
        MPI.COMM_WORLD.barrier();
    }

    private static void ordered() {
        File file = open("ordered", NEW | MPI.MODE_DELETE_ON_CLOSE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int before = rank * (rank + 1) / 2;
        int total = size * (size + 1) / 2;
        for (int round = 0; round < 3; round++) {
            file.writeOrdered(numbers(round * total + before, rank + 1), rank + 1, MPI.INT);
        }
        equal("position", 3L * total, file.getPositionShared());
        MPI.COMM_WORLD.barrier();
        int[] all = new int[3 * total];
        file.readAt(0, all, all.length, MPI.INT);
        equal("in the ranks' order", numbers(0, 3 * total), all);
        file.seekShared(0, MPI.SEEK_SET);
        int[] own = new int[rank + 1];
        file.readOrdered(own, rank + 1, MPI.INT);
        equal("own part", numbers(before, rank + 1), own);
        file.close();
    }

    private static void nonBlocking() {
        File file = open("nonblocking", NEW | MPI.MODE_DELETE_ON_CLOSE);
        file.setView(80L * rank, MPI.INT, MPI.INT, "native");
        IntBuffer own = MPI.newIntBuffer(20);
        own.put(0, numbers(100 * rank, 20));
        Request first = file.iWrite(own, 10, MPI.INT);
        Request second = file.iWrite(MPI.slice(own, 10), 10, MPI.INT);
        equal("the pointer has moved", 20L, file.getPosition());
        Request.waitAll(new Request[] {first, second});
        that("null", first.isNull() && second.isNull());
        IntBuffer found = MPI.newIntBuffer(20);
        Request read = file.iReadAt(0, found, 20, MPI.INT);
        equal("count", 20, read.waitStatus().getCount(MPI.INT));
        equal("read back", own, found);
        file.seek(0, MPI.SEEK_SET);
        Request[] some = {
            file.iReadAll(found, 5, MPI.INT), file.iReadAtAll(5, MPI.newIntBuffer(1), 1, MPI.INT)
        };
        while (!Request.testAll(some)) {
            Thread.onSpinWait();
        }
        Request[] any = {
            MPI.REQUEST_NULL, file.iReadAt(0, found, 20, MPI.INT), file.iReadAt(1, own, 0, MPI.INT)
        };
        equal("each once", 3, Request.waitAny(any) + Request.waitAny(any));
        equal("none is left", MPI.UNDEFINED, Request.waitAny(any));
        file.iWriteAtAll(0, own, 1, MPI.INT).waitFor();
        file.iWriteAt(0, own, 1, MPI.INT).waitFor();
        file.iWriteAll(own, 1, MPI.INT).waitFor();
        file.iRead(own, 1, MPI.INT).waitFor();
        file.iWriteShared(MPI.newIntBuffer(1), 1, MPI.INT).waitFor();
        file.iReadShared(MPI.newIntBuffer(1), 1, MPI.INT).waitFor();
        fails(
                "no direct buffer",
                MPI.ERR_BUFFER,
                () -> file.iWrite(ByteBuffer.allocate(4), 1, MPI.INT));
        MPI.COMM_WORLD.barrier();
        file.close();
    }

    private static void splitCollectives() {
        File file = open("split", NEW | MPI.MODE_DELETE_ON_CLOSE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int[] own = numbers(5 * rank, 5);
        file.writeAtAllBegin(5L * rank, own, 5, MPI.INT);
        fails("one at a time", MPI.ERR_OTHER, () -> file.writeAllBegin(own, 5, MPI.INT));
        fails("another collective", MPI.ERR_OTHER, () -> file.readAll(own, 5, MPI.INT));
        fails("another end", MPI.ERR_OTHER, () -> file.writeAllEnd(own));
        fails("another buffer", MPI.ERR_BUFFER, () -> file.writeAtAllEnd(new int[5]));
        equal("written", 5, file.writeAtAllEnd(own).getCount(MPI.INT));
        fails("end without begin", MPI.ERR_OTHER, () -> file.writeAtAllEnd(own));
        file.sync();
        int[] found = new int[5];
        file.readAtAllBegin(5L * rank, found, 5, MPI.INT);
        file.readAtAllEnd(found);
        equal("at", own, found);
        file.readAllBegin(found, 3, MPI.INT);
        file.readAllEnd(found);
        equal("own pointer", 3L, file.getPosition());
        MPI.COMM_WORLD.barrier();
        file.writeOrderedBegin(own, 5, MPI.INT);
        file.writeOrderedEnd(own);
        file.seekShared(0, MPI.SEEK_SET);
        Arrays.fill(found, -1);
        file.readOrderedBegin(found, 5, MPI.INT);
        file.readOrderedEnd(found);
        equal("ordered", own, found);
        file.seek(5L * rank, MPI.SEEK_SET);
        file.writeAllBegin(own, 5, MPI.INT);
        file.writeAllEnd(own);
        file.close();
    }

    /** Each read sees all of a write or nothing of it. */
    private static void atomicity() {
        File file = open("atomic", NEW | MPI.MODE_DELETE_ON_CLOSE);
        equal("first", false, file.getAtomicity());
        file.setAtomicity(true);
        equal("then", true, file.getAtomicity());
        Datatype holes = Datatype.createVector(200, 1, 2, MPI.INT);
        holes.commit();
        file.setView(0, MPI.INT, holes, "native");
        int[] own = new int[200];
        int[] found = new int[200];
        file.writeAt(0, own, 200, MPI.INT);
        MPI.COMM_WORLD.barrier();
        for (int round = 1; round <= 30; round++) {
            Arrays.fill(own, round * size + rank);
            file.writeAt(0, own, 200, MPI.INT);
            file.readAt(0, found, 200, MPI.INT);
            Arrays.fill(own, found[0]);
            equal("all of one write", own, found);
        }
        file.close();
    }

    private static void sequential() {
        File file = open("sequential", MPI.MODE_CREATE | MPI.MODE_WRONLY | MPI.MODE_SEQUENTIAL);
        fails(
                "offset",
                MPI.ERR_UNSUPPORTED_OPERATION,
                () -> file.writeAt(0, new byte[1], 1, MPI.BYTE));
        fails("seek", MPI.ERR_UNSUPPORTED_OPERATION, () -> file.seek(0, MPI.SEEK_SET));
        file.writeOrdered(new byte[] {(byte) rank}, 1, MPI.BYTE);
        file.setView(MPI.DISPLACEMENT_CURRENT, MPI.BYTE, MPI.BYTE, "native");
        equal("displacement", (long) size, file.getView().getDisp());
        file.writeOrdered(new byte[] {(byte) rank}, 1, MPI.BYTE);
        MPI.COMM_WORLD.barrier();
        equal("size", 2L * size, file.getSize());
        file.close();
        MPI.COMM_WORLD.barrier();
        if (rank == 0) {
            File.delete(path("sequential"));
        }
    }

    private static void handlers() {
        File file = open("handlers", NEW | MPI.MODE_DELETE_ON_CLOSE);
        equal("files return errors", MPI.ERRORS_RETURN, file.getErrhandler());
        file.callErrhandler(MPI.ERR_IO);
        file.setErrhandler(MPI.ERRORS_ARE_FATAL);
        equal("set", MPI.ERRORS_ARE_FATAL, file.getErrhandler());
        Info info = new Info();
        info.set("cb_nodes", "2");
        file.setInfo(info);
        equal("info", "2", file.getInfo().get("cb_nodes"));
        file.close();
    }
}
