package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;
import org.madcast.mpi.datatype.TypeMap;
import org.madcast.mpi.rma.TargetMemory;
import org.madcast.mpi.rma.Window;

/** What stands behind a window until it is freed. */
final class WinState {

    /** In place of the size of a dynamic window. */
    static final long DYNAMIC = -1;

    /** In place of a target. */
    static final int EVERY_TARGET = -1;

    final Window window;
    final TargetMemory memory;
    final Group group;
    final @Nullable Buffer base;
    final int rank;
    final Attributes attributes = new Attributes(Attributes.Holder.WINDOW);
    volatile Errhandler handler = MPI.ERRORS_ARE_FATAL;
    volatile Info info = new Info();
    volatile String name = "";

    /** Of each rank, in bytes. */
    private final long[] sizes;

    private final long[] units;
    private final Communicator all;

    private boolean fenced;
    private int @Nullable [] started;
    private @Nullable List<CompletableFuture<MessageStatus>> posted;
    private final boolean[] locked;
    private boolean lockedAll;

    private WinState(
            Communicator all,
            Group group,
            @Nullable Buffer base,
            TargetMemory memory,
            long[] sizesAndUnits) {
        this.group = group;
        this.base = base;
        this.all = all;
        this.rank = all.rank();
        this.memory = memory;
        this.sizes = new long[all.size()];
        this.units = new long[all.size()];
        this.locked = new boolean[all.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = sizesAndUnits[3 * i];
            units[i] = sizesAndUnits[3 * i + 1];
        }
        this.window = new Window(all, memory);
    }

    /** A rank's part of a window. */
    record Part(@Nullable Buffer base, long bytes, long unit) {

        /** Counts in the buffer's elements. */
        static Part of(@Nullable Buffer base, int size, int dispUnit) {
            long element = base == null ? 1 : elementBytes(base);
            if (size < 0) {
                throw new MPIException(ErrorClass.SIZE, "size " + size + " is negative");
            }
            if (dispUnit <= 0) {
                throw new MPIException(
                        ErrorClass.DISP,
                        "the unit of displacement " + dispUnit + " is not above 0");
            }
            long capacity = base == null ? 0 : base.capacity();
            if (size > capacity) {
                throw new MPIException(
                        ErrorClass.SIZE,
                        "size %d is more than the buffer's %d elements".formatted(size, capacity));
            }
            return new Part(base, size * element, dispUnit * element);
        }

        MemorySegment memory() {
            if (base == null || bytes == 0) {
                return MemorySegment.NULL;
            }
            return WinState.memory(base, bytes);
        }
    }

    static long elementBytes(Buffer buffer) {
        return switch (buffer) {
            case java.nio.ByteBuffer _ -> Byte.BYTES;
            case java.nio.CharBuffer _ -> Character.BYTES;
            case java.nio.ShortBuffer _ -> Short.BYTES;
            case java.nio.IntBuffer _ -> Integer.BYTES;
            case java.nio.FloatBuffer _ -> Float.BYTES;
            default -> Long.BYTES;
        };
    }

    static MemorySegment memory(Buffer buffer, long bytes) {
        if (!buffer.isDirect() || buffer.isReadOnly()) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "a window needs a direct buffer that can be written, as MPI.newByteBuffer and"
                            + " so on make it");
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(0, bytes);
    }

    /** What makes a rank's part, or throws. */
    @FunctionalInterface
    interface PartMaker {
        Part make();
    }

    /** Makes a window on all ranks, or on none. */
    static WinState open(Comm comm, Info info, PartMaker maker) {
        if (CommHandle.of(comm).isInter()) {
            throw new MPIException(ErrorClass.COMM, "a window needs an intracommunicator");
        }
        Info hints = Info.given(info).copy();
        Communicator all = comm.communicator().dup();
        MPIException wrong = null;
        Part part = new Part(null, DYNAMIC, 1);
        TargetMemory memory = new TargetMemory(1, Accumulation::operation);
        try {
            part = maker.make();
            memory = new TargetMemory(part.unit, Accumulation::operation);
            if (part.bytes != DYNAMIC) {
                memory.attach(part.memory());
            }
        } catch (RuntimeException failed) {
            wrong = Errors.of(failed);
        }
        long[] own = {part.bytes, part.unit, wrong == null ? 0 : wrong.getErrorClass()};
        long[] every = new long[3 * all.size()];
        all.allgather(MemorySegment.ofArray(own), MemorySegment.ofArray(every));
        for (int i = 0; i < all.size(); i++) {
            if (every[3 * i + 2] != 0 && wrong == null) {
                wrong =
                        new MPIException(
                                ErrorClass.of((int) every[3 * i + 2]),
                                "rank " + i + " could not make its part of the window");
            }
        }
        if (wrong != null) {
            all.close();
            throw wrong;
        }
        WinState made = new WinState(all, comm.getGroup(), part.base, memory, every);
        made.info = hints;
        return made;
    }

    /** What a test of a request drives. */
    Communicator messages() {
        return all;
    }

    boolean isDynamic() {
        return sizes[rank] == DYNAMIC;
    }

    @Nullable Object attribute(int keyval) {
        return switch (keyval) {
            case MPI.WIN_BASE -> base;
            case MPI.WIN_SIZE -> (int) Math.max(0, sizes[rank]);
            case MPI.WIN_DISP_UNIT -> (int) units[rank];
            default -> attributes.get(keyval);
        };
    }

    private static MPIException sync(String why) {
        return new MPIException(ErrorClass.RMA_SYNC, why);
    }

    int checkRank(int target) {
        if (target < 0 || target >= sizes.length) {
            throw new MPIException(
                    ErrorClass.RANK, "target " + target + " is outside 0 to " + (sizes.length - 1));
        }
        return target;
    }

    /** Where an access goes, once it may go there. */
    Window.Place place(int target, int displacement, int count, Datatype type) {
        TypeMap map = type.committedMap();
        int to = checkRank(target);
        if (count < 0) {
            throw new MPIException(ErrorClass.COUNT, "target count " + count + " is negative");
        }
        if (displacement < 0) {
            throw new MPIException(
                    ErrorClass.DISP, "target displacement " + displacement + " is negative");
        }
        checkEpoch(to);
        long far = Math.max(0, count - 1) * map.extent();
        long first = displacement * units[to] + Math.min(0, far) + map.trueLb();
        long end = displacement * units[to] + Math.max(0, far) + map.trueUb();
        boolean none = count == 0 || map.size() == 0;
        if (!none && sizes[to] != DYNAMIC && (first < 0 || end > sizes[to])) {
            throw new MPIException(
                    ErrorClass.DISP,
                    "displacement %d with %d elements means the bytes %d to %d of rank %d's window of %d"
                            .formatted(displacement, count, first, end, to, sizes[to]));
        }
        return new Window.Place(to, displacement, count, map);
    }

    private synchronized void checkEpoch(int target) {
        boolean allowed = fenced || lockedAll || locked[target];
        if (!allowed && started != null) {
            allowed = Arrays.stream(started).anyMatch(it -> it == target);
        }
        if (!allowed) {
            throw sync("no fence, start or lock allows an access to rank " + target);
        }
    }

    private synchronized boolean holdsLock() {
        for (boolean each : locked) {
            if (each) {
                return true;
            }
        }
        return lockedAll;
    }

    private synchronized void checkIdle(String call) {
        if (holdsLock()) {
            throw sync(call + " while a lock is held; unlock first");
        }
        if (started != null) {
            throw sync(call + " between start and complete");
        }
        if (posted != null) {
            throw sync(call + " between post and wait");
        }
    }

    void fence(int assertion) {
        checkIdle("fence");
        window.fence();
        synchronized (this) {
            fenced = (assertion & MPI.MODE_NOSUCCEED) == 0;
        }
    }

    private int[] ranks(Group other) {
        int[] all =
                Group.translateRanks(other, Group.allRanks(Group.membersOf(other).length), group);
        for (int each : all) {
            if (each == MPI.UNDEFINED) {
                throw new MPIException(
                        ErrorClass.GROUP, "the group has a process that is not in the window");
            }
        }
        return all;
    }

    void post(Group origins) {
        int[] from = ranks(origins);
        synchronized (this) {
            if (posted != null) {
                throw sync("post before the wait of the last post");
            }
            posted = window.post(from);
        }
    }

    void start(Group targets) {
        int[] to = ranks(targets);
        synchronized (this) {
            if (started != null) {
                throw sync("start before the complete of the last start");
            }
            if (holdsLock()) {
                throw sync("start while a lock is held; unlock first");
            }
            started = to;
        }
        try {
            window.start(to);
        } catch (RuntimeException failed) {
            synchronized (this) {
                started = null;
            }
            throw failed;
        }
    }

    void complete() {
        int[] to;
        synchronized (this) {
            if (started == null) {
                throw sync("complete without start");
            }
            to = started;
        }
        try {
            window.complete(to);
        } finally {
            synchronized (this) {
                started = null;
            }
        }
    }

    private synchronized List<CompletableFuture<MessageStatus>> posted() {
        if (posted == null) {
            throw sync("wait or test without post");
        }
        return posted;
    }

    void awaitCompletes() {
        List<CompletableFuture<MessageStatus>> waiting = posted();
        try {
            waiting.forEach(CompletableFuture::join);
        } finally {
            synchronized (this) {
                posted = null;
            }
        }
    }

    boolean testCompletes() {
        boolean done = window.haveEnded(posted());
        if (done) {
            awaitCompletes();
        } else {
            Operation.letOthersRun();
        }
        return done;
    }

    void lock(int lockType, int target) {
        if (lockType != MPI.LOCK_EXCLUSIVE && lockType != MPI.LOCK_SHARED) {
            throw new MPIException(
                    ErrorClass.LOCKTYPE,
                    "lock type " + lockType + " is neither LOCK_EXCLUSIVE nor LOCK_SHARED");
        }
        if (target == MPI.PROC_NULL) {
            return;
        }
        int to = checkRank(target);
        synchronized (this) {
            if (locked[to] || lockedAll) {
                throw sync("rank " + to + " is locked already");
            }
            if (started != null) {
                throw sync("lock between start and complete");
            }
            locked[to] = true;
        }
        try {
            window.lock(to, lockType == MPI.LOCK_EXCLUSIVE);
        } catch (RuntimeException failed) {
            synchronized (this) {
                locked[to] = false;
            }
            throw failed;
        }
    }

    void unlock(int target) {
        if (target == MPI.PROC_NULL) {
            return;
        }
        int to = checkRank(target);
        synchronized (this) {
            if (!locked[to]) {
                throw sync("unlock of rank " + to + ", which is not locked");
            }
        }
        try {
            window.unlock(to);
        } finally {
            synchronized (this) {
                locked[to] = false;
            }
        }
    }

    void lockAll() {
        synchronized (this) {
            if (holdsLock()) {
                throw sync("lockAll while a lock is held; unlock first");
            }
            if (started != null) {
                throw sync("lockAll between start and complete");
            }
            lockedAll = true;
        }
        try {
            window.lockAll();
        } catch (RuntimeException failed) {
            synchronized (this) {
                lockedAll = false;
            }
            throw failed;
        }
    }

    void unlockAll() {
        synchronized (this) {
            if (!lockedAll) {
                throw sync("unlockAll without lockAll");
            }
        }
        try {
            window.unlockAll();
        } finally {
            synchronized (this) {
                lockedAll = false;
            }
        }
    }

    /** Flushes are for targets that are locked. */
    void flush(int target, IntConsumer how) {
        if (target == MPI.PROC_NULL) {
            return;
        }
        int to = checkRank(target);
        synchronized (this) {
            if (!locked[to] && !lockedAll) {
                throw sync("flush of rank " + to + ", which is not locked");
            }
        }
        how.accept(to);
    }

    void checkAnyLocked() {
        if (!holdsLock()) {
            throw sync("flush without a lock");
        }
    }

    void close() {
        checkIdle("free");
        window.close();
    }
}
