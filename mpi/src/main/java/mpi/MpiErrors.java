package mpi;

/** The error classes of class MPI; their numbers are those of {@link ErrorClass}. */
public abstract class MpiErrors extends MpiNumbers {

    /** MPI_ERR_BUFFER. */
    public static final int ERR_BUFFER = 1;

    /** MPI_ERR_COUNT. */
    public static final int ERR_COUNT = 2;

    /** MPI_ERR_TYPE. */
    public static final int ERR_TYPE = 3;

    /** MPI_ERR_TAG. */
    public static final int ERR_TAG = 4;

    /** MPI_ERR_COMM. */
    public static final int ERR_COMM = 5;

    /** MPI_ERR_RANK. */
    public static final int ERR_RANK = 6;

    /** MPI_ERR_REQUEST. */
    public static final int ERR_REQUEST = 7;

    /** MPI_ERR_ROOT. */
    public static final int ERR_ROOT = 8;

    /** MPI_ERR_GROUP. */
    public static final int ERR_GROUP = 9;

    /** MPI_ERR_OP. */
    public static final int ERR_OP = 10;

    /** MPI_ERR_TOPOLOGY. */
    public static final int ERR_TOPOLOGY = 11;

    /** MPI_ERR_DIMS. */
    public static final int ERR_DIMS = 12;

    /** MPI_ERR_ARG. */
    public static final int ERR_ARG = 13;

    /** MPI_ERR_UNKNOWN. */
    public static final int ERR_UNKNOWN = 14;

    /** MPI_ERR_TRUNCATE. */
    public static final int ERR_TRUNCATE = 15;

    /** MPI_ERR_OTHER. */
    public static final int ERR_OTHER = 16;

    /** MPI_ERR_INTERN. */
    public static final int ERR_INTERN = 17;

    /** MPI_ERR_IN_STATUS. */
    public static final int ERR_IN_STATUS = 18;

    /** MPI_ERR_PENDING. */
    public static final int ERR_PENDING = 19;

    /** MPI_ERR_ACCESS. */
    public static final int ERR_ACCESS = 20;

    /** MPI_ERR_AMODE. */
    public static final int ERR_AMODE = 21;

    /** MPI_ERR_ASSERT. */
    public static final int ERR_ASSERT = 22;

    /** MPI_ERR_BAD_FILE. */
    public static final int ERR_BAD_FILE = 23;

    /** MPI_ERR_BASE. */
    public static final int ERR_BASE = 24;

    /** MPI_ERR_CONVERSION. */
    public static final int ERR_CONVERSION = 25;

    /** MPI_ERR_DISP. */
    public static final int ERR_DISP = 26;

    /** MPI_ERR_DUP_DATAREP. */
    public static final int ERR_DUP_DATAREP = 27;

    /** MPI_ERR_FILE_EXISTS. */
    public static final int ERR_FILE_EXISTS = 28;

    /** MPI_ERR_FILE_IN_USE. */
    public static final int ERR_FILE_IN_USE = 29;

    /** MPI_ERR_FILE. */
    public static final int ERR_FILE = 30;

    /** MPI_ERR_INFO_KEY. */
    public static final int ERR_INFO_KEY = 31;

    /** MPI_ERR_INFO_NOKEY. */
    public static final int ERR_INFO_NOKEY = 32;

    /** MPI_ERR_INFO_VALUE. */
    public static final int ERR_INFO_VALUE = 33;

    /** MPI_ERR_INFO. */
    public static final int ERR_INFO = 34;

    /** MPI_ERR_IO. */
    public static final int ERR_IO = 35;

    /** MPI_ERR_KEYVAL. */
    public static final int ERR_KEYVAL = 36;

    /** MPI_ERR_LOCKTYPE. */
    public static final int ERR_LOCKTYPE = 37;

    /** MPI_ERR_NAME. */
    public static final int ERR_NAME = 38;

    /** MPI_ERR_NO_MEM. */
    public static final int ERR_NO_MEM = 39;

    /** MPI_ERR_NOT_SAME. */
    public static final int ERR_NOT_SAME = 40;

    /** MPI_ERR_NO_SPACE. */
    public static final int ERR_NO_SPACE = 41;

    /** MPI_ERR_NO_SUCH_FILE. */
    public static final int ERR_NO_SUCH_FILE = 42;

    /** MPI_ERR_PORT. */
    public static final int ERR_PORT = 43;

    /** MPI_ERR_PROC_ABORTED. */
    public static final int ERR_PROC_ABORTED = 44;

    /** MPI_ERR_QUOTA. */
    public static final int ERR_QUOTA = 45;

    /** MPI_ERR_READ_ONLY. */
    public static final int ERR_READ_ONLY = 46;

    /** MPI_ERR_RMA_CONFLICT. */
    public static final int ERR_RMA_CONFLICT = 47;

    /** MPI_ERR_RMA_SYNC. */
    public static final int ERR_RMA_SYNC = 48;

    /** MPI_ERR_SERVICE. */
    public static final int ERR_SERVICE = 49;

    /** MPI_ERR_SIZE. */
    public static final int ERR_SIZE = 50;

    /** MPI_ERR_SPAWN. */
    public static final int ERR_SPAWN = 51;

    /** MPI_ERR_UNSUPPORTED_DATAREP. */
    public static final int ERR_UNSUPPORTED_DATAREP = 52;

    /** MPI_ERR_UNSUPPORTED_OPERATION. */
    public static final int ERR_UNSUPPORTED_OPERATION = 53;

    /** MPI_ERR_WIN. */
    public static final int ERR_WIN = 54;

    /** MPI_ERR_SYSRESOURCE. */
    public static final int ERR_SYSRESOURCE = 55;

    /** The largest number of an error class. */
    public static final int ERR_LASTCODE = 92;

    MpiErrors() {}
}
