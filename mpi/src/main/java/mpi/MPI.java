package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/** MPI's environment: how a program begins and ends, its communicators and constants. */
@SuppressWarnings("HidingField") // COMM_SELF has the type of one API here, of the other above
public final class MPI extends MpiObjects {

    /** The ranks of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm(null);

    /** This rank alone. */
    public static final Intracomm COMM_SELF = (Intracomm) MpiObjects.COMM_SELF;

    private MPI() {}

    /**
     * Begins (MPI_Init). A process that no launcher started is a job of one rank.
     *
     * @param args null for none
     * @return the arguments, without the three that MPJ Express's launcher passes in front
     */
    public static String[] Init(String @Nullable [] args) throws MPIException {
        try {
            Environment.start();
            return Environment.withoutLaunchersArguments(args);
        } catch (RuntimeException failed) {
            throw Errors.of(failed);
        }
    }

    /**
     * Begins (MPI_Init_thread).
     *
     * @return THREAD_MULTIPLE, whichever is required
     */
    public static int InitThread(String @Nullable [] args, int required) throws MPIException {
        Environment.checkThreadLevel(required);
        String[] _ = Init(args);
        return THREAD_MULTIPLE;
    }

    /** As {@link #Init}; any number of threads may call MPI (MPI_Init_thread). */
    public static String[] initThread(int required, int provided, String @Nullable [] argv)
            throws MPIException {
        Environment.checkThreadLevel(required);
        return Init(argv);
    }

    /** THREAD_MULTIPLE (MPI_Query_thread). */
    public static int queryThread() throws MPIException {
        Environment.check();
        return THREAD_MULTIPLE;
    }

    /** Whether this thread began (MPI_Is_thread_main). */
    public static boolean isThreadMain() throws MPIException {
        return Environment.current().isMainThread();
    }

    /** As {@link #isThreadMain}. */
    public static boolean isMainThread() throws MPIException {
        return isThreadMain();
    }

    /** Ends: waits for the other ranks, and for what was begun (MPI_Finalize). */
    public static void Finalize() throws MPIException {
        try {
            Environment.end();
        } catch (RuntimeException failed) {
            throw Errors.of(failed);
        }
    }

    /** Whether MPI has begun (MPI_Initialized). */
    public static boolean isInitialized() throws MPIException {
        return Environment.isRunning() || Environment.isFinalized();
    }

    /** As {@link #isInitialized}. */
    public static boolean Initialized() throws MPIException {
        return isInitialized();
    }

    /** Whether MPI has ended (MPI_Finalized). */
    public static boolean isFinalized() throws MPIException {
        return Environment.isFinalized();
    }

    /** As {@link #isFinalized}. */
    public static boolean Finalized() throws MPIException {
        return isFinalized();
    }

    /** This host's name (MPI_Get_processor_name). */
    public static String getProcessorName() throws MPIException {
        Environment.check();
        return Environment.processorName();
    }

    /** As {@link #getProcessorName}, also before Init and after Finalize. */
    public static String Get_processor_name() throws MPIException {
        return Environment.processorName();
    }

    /** Seconds since a moment in the past (MPI_Wtime). */
    public static double wtime() throws MPIException {
        return System.nanoTime() / 1e9;
    }

    /** As {@link #wtime}. */
    public static double Wtime() throws MPIException {
        return wtime();
    }

    /** The clock's resolution in seconds (MPI_Wtick). */
    public static double wtick() throws MPIException {
        return 1e-9;
    }

    /** As {@link #wtick}. */
    public static double Wtick() throws MPIException {
        return wtick();
    }

    /** The version of the standard (MPI_Get_version). */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /** The library's name (MPI_Get_library_version). */
    public static String getLibVersion() {
        String version = MPI.class.getPackage().getImplementationVersion();
        return version == null ? "Madcast" : "Madcast " + version;
    }

    /** Does nothing: there is no profiler (MPI_Pcontrol). */
    public static void pControl(int level, Object obj) {}

    /** Attaches a buffer for buffered sends (MPI_Buffer_attach). */
    public static void attachBuffer(@Nullable ByteBuffer buffer) throws MPIException {
        try {
            AttachedBuffer.attach(buffer);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #attachBuffer}. */
    public static void Buffer_attach(ByteBuffer userBuffer) throws MPIException {
        attachBuffer(userBuffer);
    }

    /**
     * Attaches a {@code byte[]}, as mpiJava's specification has it. Its type here is Object, so
     * that a {@code null} still means {@link #Buffer_attach(ByteBuffer)}.
     */
    public static void Buffer_attach(@Nullable Object buffer) throws MPIException {
        if (buffer != null && !(buffer instanceof byte[])) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "a %s cannot be attached; a ByteBuffer or byte[] can"
                            .formatted(buffer.getClass().getSimpleName()));
        }
        attachBuffer(buffer == null ? null : ByteBuffer.wrap((byte[]) buffer));
    }

    /** Detaches it, once its messages have been sent (MPI_Buffer_detach). */
    public static ByteBuffer detachBuffer() throws MPIException {
        try {
            return AttachedBuffer.detach();
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #detachBuffer}. */
    public static void Buffer_detach() throws MPIException {
        ByteBuffer _ = detachBuffer();
    }

    /** Sets the error handler of COMM_WORLD (MPI_Errhandler_set). */
    public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
        COMM_WORLD.setErrhandler(errhandler);
    }

    /** The error handler of COMM_WORLD (MPI_Errhandler_get). */
    public static Errhandler Errorhandler_get() throws MPIException {
        return COMM_WORLD.getErrhandler();
    }

    private static ByteBuffer direct(int capacity, int bytes) {
        long length = (long) capacity * bytes;
        if (capacity < 0 || length > Integer.MAX_VALUE) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "the capacity %d is outside 0 to %d"
                            .formatted(capacity, Integer.MAX_VALUE / bytes));
        }
        return ByteBuffer.allocateDirect((int) length).order(ByteOrder.nativeOrder());
    }

    /** A direct buffer of byte elements in native byte order. */
    public static ByteBuffer newByteBuffer(int capacity) {
        return direct(capacity, 1);
    }

    /** A direct buffer of char elements in native byte order. */
    public static CharBuffer newCharBuffer(int capacity) {
        return direct(capacity, 2).asCharBuffer();
    }

    /** A direct buffer of short elements in native byte order. */
    public static ShortBuffer newShortBuffer(int capacity) {
        return direct(capacity, 2).asShortBuffer();
    }

    /** A direct buffer of int elements in native byte order. */
    public static IntBuffer newIntBuffer(int capacity) {
        return direct(capacity, 4).asIntBuffer();
    }

    /** A direct buffer of long elements in native byte order. */
    public static LongBuffer newLongBuffer(int capacity) {
        return direct(capacity, 8).asLongBuffer();
    }

    /** A direct buffer of float elements in native byte order. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return direct(capacity, 4).asFloatBuffer();
    }

    /** A direct buffer of double elements in native byte order. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return direct(capacity, 8).asDoubleBuffer();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice().order(buf.order());
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The buffer from this element on, whatever its position and limit. */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return buf.duplicate().clear().position(offset).slice();
    }

    /** The array from this element on. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return ByteBuffer.wrap(buf, offset, buf.length - offset)
                .slice()
                .order(ByteOrder.nativeOrder());
    }

    /** The array from this element on. */
    public static CharBuffer slice(char[] buf, int offset) {
        return CharBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** The array from this element on. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return ShortBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** The array from this element on. */
    public static IntBuffer slice(int[] buf, int offset) {
        return IntBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** The array from this element on. */
    public static LongBuffer slice(long[] buf, int offset) {
        return LongBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** The array from this element on. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return FloatBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** The array from this element on. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return DoubleBuffer.wrap(buf, offset, buf.length - offset).slice();
    }
}
