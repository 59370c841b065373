package mpi;

/**
 * MPI's predefined objects: the constants of class MPI that are handles. Public, as the classes
 * above it are, for programs that read the constants by reflection.
 */
public abstract class MpiObjects extends MpiErrors {

    /** All processes of the job end after an error. */
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(Errhandler.Kind.FATAL);

    /** The communicator's processes end after an error, which is the job too. */
    public static final Errhandler ERRORS_ABORT = new Errhandler(Errhandler.Kind.ABORT);

    /** A call throws an exception after an error. */
    public static final Errhandler ERRORS_RETURN = new Errhandler(Errhandler.Kind.RETURN);

    /** No info object. */
    public static final Info INFO_NULL = Info.ofNull();

    /** How the program was started: command, argv, maxprocs, host, arch, wdir, thread_level. */
    public static final Info INFO_ENV = new Info();

    /** No process. */
    public static final Group GROUP_EMPTY = new Group(new int[0]);

    /** No group. */
    public static final Group GROUP_NULL = new Group(null);

    /** No request. */
    public static final Request REQUEST_NULL = new Request(null, null);

    /** The status of a call that received nothing. */
    public static final Status EMPTY_STATUS = new Status();

    /** No communicator. */
    public static final Comm COMM_NULL = new Comm(null);

    /** This rank alone, with mpiJava's type of the field. */
    public static final Comm COMM_SELF = new Intracomm(null);

    MpiObjects() {}
}
