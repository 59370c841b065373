package mpi;

/** MPI's numbers: the constants of class MPI that are no objects. */
public abstract class MpiNumbers extends PredefinedViews {

    /** One thread. */
    public static final int THREAD_SINGLE = 0;

    /** Only the main thread calls MPI. */
    public static final int THREAD_FUNNELED = 1;

    /** One thread at a time calls MPI. */
    public static final int THREAD_SERIALIZED = 2;

    /** Any thread may call MPI at any time. */
    public static final int THREAD_MULTIPLE = 3;

    /** A Cartesian topology. */
    public static final int CART = 1;

    /** A graph topology. */
    public static final int GRAPH = 2;

    /** A distributed graph topology. */
    public static final int DIST_GRAPH = 3;

    /** A receive from any rank. */
    public static final int ANY_SOURCE = -1;

    /** A receive of any tag. */
    public static final int ANY_TAG = -1;

    /** No process: a message to or from it is none. */
    public static final int PROC_NULL = -2;

    /** The root of a collective call, in its own group of an intercommunicator. */
    public static final int ROOT = -4;

    /** No value. */
    public static final int UNDEFINED = -32766;

    /** The same object. */
    public static final int IDENT = 0;

    /** Other communicators of the same ranks. */
    public static final int CONGRUENT = 1;

    /** The same processes in another order. */
    public static final int SIMILAR = 2;

    /** Different processes. */
    public static final int UNEQUAL = 3;

    /** The key of the largest tag. */
    public static final int TAG_UB = 0;

    /** The key of the host process's rank. */
    public static final int HOST = 1;

    /** The key of a rank that can do input and output. */
    public static final int IO = 2;

    /** The key of whether the ranks' clocks agree. */
    public static final int WTIME_IS_GLOBAL = 3;

    /** The key of the program's number in the job. */
    public static final int APPNUM = 4;

    /** The key of the last error code. */
    public static final int LASTUSEDCODE = 5;

    /** The key of how many ranks the job may have. */
    public static final int UNIVERSE_SIZE = 6;

    /** The key of a window's memory. */
    public static final int WIN_BASE = 7;

    /** The key of a window's size. */
    public static final int WIN_SIZE = 8;

    /** The key of a window's unit of displacement. */
    public static final int WIN_DISP_UNIT = 9;

    /** No key. */
    public static final int KEYVAL_INVALID = -1;

    /** The version of the standard. */
    public static final int VERSION = 3;

    /** The version of the standard, after the dot. */
    public static final int SUBVERSION = 1;

    /** What a buffered send needs in the attached buffer beyond its message. */
    public static final int BSEND_OVERHEAD = 128;

    /** mpiJava's overhead of a send. */
    public static final int SEND_OVERHEAD = 0;

    /** mpiJava's overhead of a receive. */
    public static final int RECV_OVERHEAD = 0;

    /** The longest name of a processor. */
    public static final int MAX_PROCESSOR_NAME = 256;

    /** The longest name of an object. */
    public static final int MAX_OBJECT_NAME = 64;

    /** The longest name of a port. */
    public static final int MAX_PORT_NAME = 1024;

    /** The longest name of a data representation. */
    public static final int MAX_DATAREP_STRING = 128;

    /** The longest key of an info object. */
    public static final int MAX_INFO_KEY = 36;

    /** The longest value of an info object. */
    public static final int MAX_INFO_VAL = 256;

    /** Arrays by rows. */
    public static final int ORDER_C = 0;

    /** Arrays by columns. */
    public static final int ORDER_FORTRAN = 1;

    /** A distribution of arrays, block. */
    public static final int DISTRIBUTE_BLOCK = 0;

    /** A distribution of arrays, cyclic. */
    public static final int DISTRIBUTE_CYCLIC = 1;

    /** A distribution of arrays, none. */
    public static final int DISTRIBUTE_NONE = 2;

    /** The default argument of a distribution. */
    public static final int DISTRIBUTE_DFLT_DARG = -1;

    /** Makes the file if there is none. */
    public static final int MODE_CREATE = 1;

    /** Reads only. */
    public static final int MODE_RDONLY = 2;

    /** Writes only. */
    public static final int MODE_WRONLY = 4;

    /** Reads and writes. */
    public static final int MODE_RDWR = 8;

    /** Deletes the file when it is closed. */
    public static final int MODE_DELETE_ON_CLOSE = 16;

    /** No other program opens the file. */
    public static final int MODE_UNIQUE_OPEN = 32;

    /** Fails when the file exists. */
    public static final int MODE_EXCL = 64;

    /** All pointers begin at the file's end. */
    public static final int MODE_APPEND = 128;

    /** The file is used in sequence only. */
    public static final int MODE_SEQUENTIAL = 256;

    /** The present position, of a view. */
    public static final int DISPLACEMENT_CURRENT = -54278278;

    /** From the file's beginning. */
    public static final int SEEK_SET = 600;

    /** From the present position. */
    public static final int SEEK_CUR = 602;

    /** From the file's end. */
    public static final int SEEK_END = 604;

    /** The other side needs no check. */
    public static final int MODE_NOCHECK = 1;

    /** No operation precedes the fence. */
    public static final int MODE_NOPRECEDE = 2;

    /** No operation changes this window. */
    public static final int MODE_NOPUT = 4;

    /** This window was not stored to. */
    public static final int MODE_NOSTORE = 8;

    /** No operation follows the fence. */
    public static final int MODE_NOSUCCEED = 16;

    /** A lock of one rank. */
    public static final int LOCK_EXCLUSIVE = 1;

    /** A lock of several ranks. */
    public static final int LOCK_SHARED = 2;

    /** No error. */
    public static final int SUCCESS = 0;

    MpiNumbers() {}
}
