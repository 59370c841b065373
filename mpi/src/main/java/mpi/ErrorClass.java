package mpi;

/** MPI's error classes with their numbers, which {@code MPI.ERR_...} are. */
enum ErrorClass {
    SUCCESS(0),
    BUFFER(1),
    COUNT(2),
    TYPE(3),
    TAG(4),
    COMM(5),
    RANK(6),
    REQUEST(7),
    ROOT(8),
    GROUP(9),
    OP(10),
    TOPOLOGY(11),
    DIMS(12),
    ARG(13),
    UNKNOWN(14),
    TRUNCATE(15),
    OTHER(16),
    INTERN(17),
    IN_STATUS(18),
    PENDING(19),
    ACCESS(20),
    AMODE(21),
    ASSERT(22),
    BAD_FILE(23),
    BASE(24),
    CONVERSION(25),
    DISP(26),
    DUP_DATAREP(27),
    FILE_EXISTS(28),
    FILE_IN_USE(29),
    FILE(30),
    INFO_KEY(31),
    INFO_NOKEY(32),
    INFO_VALUE(33),
    INFO(34),
    IO(35),
    KEYVAL(36),
    LOCKTYPE(37),
    NAME(38),
    NO_MEM(39),
    NOT_SAME(40),
    NO_SPACE(41),
    NO_SUCH_FILE(42),
    PORT(43),
    PROC_ABORTED(44),
    QUOTA(45),
    READ_ONLY(46),
    RMA_CONFLICT(47),
    RMA_SYNC(48),
    SERVICE(49),
    SIZE(50),
    SPAWN(51),
    UNSUPPORTED_DATAREP(52),
    UNSUPPORTED_OPERATION(53),
    WIN(54),
    SYSRESOURCE(55);

    private final int code;

    ErrorClass(int code) {
        this.code = code;
    }

    /** The number that programs see. */
    int code() {
        return code;
    }

    /** The class of a number; UNKNOWN for one that MPI has none for. */
    static ErrorClass of(int code) {
        for (ErrorClass each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }

    /** MPI's name of the class, which a message begins with. */
    String title() {
        return this == SUCCESS ? "MPI_SUCCESS" : "MPI_ERR_" + name();
    }
}
