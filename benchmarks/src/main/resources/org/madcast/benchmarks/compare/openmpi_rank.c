/*
 * A rank of a measurement of Open MPI. It understands the lines that org.madcast.measure.bench.BenchRank
 * lists and answers them in the same way, over a Unix socket, since mpirun keeps the standard input.
 *
 * Every way to broadcast, and every other collective call with each of its algorithms, has a communicator of its own: the component "tuned" reads the forced
 * algorithm and its segment when a communicator is made, and the MPI tools interface sets them before.
 * So one launch holds all of them, and they can be timed in random order.
 *
 * Arguments: SOCKET INTERFACE LARGEST-BYTES NAME=ALGORITHM:SEGMENT-BYTES...
 * A NAME that begins with a collective call's name and ends there or goes on with a slash is about that
 * call, any other about a broadcast. ALGORITHM is the number of coll_tuned_CALL_algorithm; 0 leaves the
 * choice to Open MPI.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <mpi.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FLOOR "floor"
#define FLOOR_GROUP "239.255.77.77"
#define FLOOR_PORT 47077
#define FLOOR_BUFFER_BYTES (4 << 20)
#define DATAGRAM_BYTES 1472
#define SPIN_NS 60000LL
#define YIELD_NS 2000000LL
#define SETTLE_NS 20000000LL
#define PROGRESS_MS 1
#define BUFFERS 4
#define MOST_UNDER_WAY 64
#define SHIFTS 4096
#define LINE_BYTES 512

/* What is called; the order of call_names. */
typedef enum {
    BARRIER, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, BCAST_TURNS,
    IBCAST, PINGPONG, BCAST
} call;

static const char *const call_names[] = {
    "barrier", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce", "reduce_scatter",
    "scan", "bcast_turns", "ibcast", "pingpong", NULL};

typedef struct {
    char name[64];
    call what;
    MPI_Comm communicator;
} way;

static int parent = -1;
static int rank;
static int size;
static int ways;
static way *way_of;
static unsigned char *pattern;
static unsigned char *buffers[BUFFERS];
static int floor_socket = -1;
static struct sockaddr_in floor_group;
static const char *interface_name;

static unsigned char *sent;
static unsigned char *received;
static long part_bytes;
static call filled_for = BCAST;

static char cell_name[64];
static long cell_bytes;
static int trial;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void sleep_ns(int64_t ns)
{
    struct timespec span = {ns / 1000000000LL, ns % 1000000000LL};
    nanosleep(&span, NULL);
}

static void tell(const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    line[bytes++] = '\n';
    for (int sent = 0; sent < bytes;) {
        ssize_t some = write(parent, line + sent, bytes - sent);
        if (some < 0 && errno != EINTR) {
            _exit(1);
        }
        sent += some > 0 ? some : 0;
    }
}

static void fail(const char *what)
{
    if (parent >= 0) {
        tell("failed %s: %s", what, strerror(errno));
    }
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What a rank has sent may still wait inside of the library: without progress others would wait too. */
static void progress(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void settle(void)
{
    int64_t end_ns = now_ns() + SETTLE_NS;
    while (now_ns() < end_ns) {
        sleep_ns(PROGRESS_MS * 1000000LL);
        progress();
    }
}

/* The next line from the parent; ends the process when the parent is gone. */
static char *next_line(void)
{
    static char line[LINE_BYTES];
    int length = 0;
    for (;;) {
        struct pollfd ready = {parent, POLLIN, 0};
        if (poll(&ready, 1, PROGRESS_MS) == 0) {
            progress();
            continue;
        }
        ssize_t some = read(parent, line + length, 1);
        if (some == 0 || (some < 0 && errno != EINTR)) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        if (some == 1 && line[length] == '\n') {
            line[length] = 0;
            return line;
        }
        if (some == 1 && ++length == LINE_BYTES) {
            fail("line too long");
        }
    }
}

static void connect_to_parent(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int opened = socket(AF_UNIX, SOCK_STREAM, 0);
    if (opened < 0 || connect(opened, (struct sockaddr *)&address, sizeof address) != 0) {
        fail(path);
    }
    parent = opened;
    tell("rank %d", rank);
}

static void set_variable(const char *name, int value)
{
    int index, count;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS
        || MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS
        || MPI_T_cvar_write(handle, &value) != MPI_SUCCESS) {
        fail(name);
    }
    MPI_T_cvar_handle_free(&handle);
}

static call call_of(const char *name)
{
    size_t length = strcspn(name, "/");
    for (int i = 0; call_names[i] != NULL; i++) {
        if (strlen(call_names[i]) == length && strncmp(name, call_names[i], length) == 0) {
            return (call)i;
        }
    }
    return BCAST;
}

static void make_way(way *made, const char *argument)
{
    int algorithm, segment_bytes;
    if (sscanf(argument, "%63[^=]=%d:%d", made->name, &algorithm, &segment_bytes) != 3) {
        fail(argument);
    }
    made->what = call_of(made->name);
    if (made->what == BCAST) {
        set_variable("coll_tuned_bcast_algorithm", algorithm);
        set_variable("coll_tuned_bcast_algorithm_segmentsize", segment_bytes);
    } else if (algorithm != 0) {
        char variable[128];
        const char *block = made->what == REDUCE_SCATTER ? "_block" : "";
        snprintf(variable, sizeof variable, "coll_tuned_%s%s_algorithm", call_names[made->what], block);
        set_variable(variable, algorithm);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &made->communicator);
}

/* The contents of CallBuffers: each rank can compute what every other one sends. */
static unsigned char content(int number, int from, long to, long index)
{
    return (unsigned char)(7 * number + 31 * from + 17 * to + index);
}

static double contribution(int number, long index)
{
    return (double)((number + index) % 997);
}

static int is_sum(call what)
{
    return what == REDUCE || what == ALLREDUCE || what == REDUCE_SCATTER || what == SCAN;
}

static long sent_size(call what)
{
    return what == BARRIER ? 0
           : what == SCATTER || what == ALLTOALL || what == REDUCE_SCATTER ? part_bytes * size
                                                                           : part_bytes;
}

static long received_size(call what)
{
    return what == BARRIER ? 0
           : what == GATHER || what == ALLGATHER || what == ALLTOALL ? part_bytes * size
                                                                     : part_bytes;
}

static void fill(call what, int number)
{
    long bytes = sent_size(what);
    memset(received, 0, received_size(what));
    if (is_sum(what)) {
        for (long i = 0; i < bytes / 8; i++) {
            ((double *)sent)[i] = contribution(number, i) + rank;
        }
    } else {
        for (long i = 0; i < bytes; i++) {
            sent[i] = content(number, rank, i / part_bytes, i % part_bytes);
        }
    }
    if (rank == 0 && (what == BCAST_TURNS || what == IBCAST || what == PINGPONG)) {
        memcpy(received, sent, bytes);
    }
}

static int is_sum_right(int number, long first, int of)
{
    for (long i = 0; i < part_bytes / 8; i++) {
        if (((double *)received)[i] != of * contribution(number, first + i) + of * (of - 1) / 2.0) {
            return 0;
        }
    }
    return 1;
}

static int are_parts_right(int number, int from, long to)
{
    long parts = from < 0 ? size : 1;
    for (long i = 0; i < parts * part_bytes; i++) {
        int source = from < 0 ? (int)(i / part_bytes) : from;
        if (received[i] != content(number, source, to, i % part_bytes)) {
            return 0;
        }
    }
    return 1;
}

static int is_right(call what, int number)
{
    switch (what) {
    case GATHER: return rank != 0 || are_parts_right(number, -1, 0);
    case SCATTER: return are_parts_right(number, 0, rank);
    case ALLGATHER: return are_parts_right(number, -1, 0);
    case ALLTOALL: return are_parts_right(number, -1, rank);
    case REDUCE: return rank != 0 || is_sum_right(number, 0, size);
    case ALLREDUCE: return is_sum_right(number, 0, size);
    case REDUCE_SCATTER: return is_sum_right(number, rank * part_bytes / 8, size);
    case SCAN: return is_sum_right(number, 0, rank + 1);
    case BCAST_TURNS:
    case IBCAST: return are_parts_right(number, 0, 0);
    case PINGPONG: return rank > 1 || are_parts_right(number, 0, 0);
    default: return 1;
    }
}

static void exchange(MPI_Comm of)
{
    int bytes = (int)part_bytes;
    if (rank == 0) {
        MPI_Send(sent, bytes, MPI_BYTE, 1, 0, of);
        MPI_Recv(received, bytes, MPI_BYTE, 1, 0, of, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(received, bytes, MPI_BYTE, 0, 0, of, MPI_STATUS_IGNORE);
        MPI_Send(received, bytes, MPI_BYTE, 0, 0, of);
    }
}

static void broadcast_many_at_once(MPI_Comm of, int count)
{
    MPI_Request under_way[MOST_UNDER_WAY];
    for (int i = 0; i < MOST_UNDER_WAY; i++) {
        under_way[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < count; i++) {
        MPI_Wait(&under_way[i % MOST_UNDER_WAY], MPI_STATUS_IGNORE);
        MPI_Ibcast(received, (int)part_bytes, MPI_BYTE, 0, of, &under_way[i % MOST_UNDER_WAY]);
    }
    MPI_Waitall(MOST_UNDER_WAY, under_way, MPI_STATUSES_IGNORE);
}

static void call_once(call what, MPI_Comm of, int number)
{
    int bytes = (int)part_bytes, doubles = (int)(part_bytes / 8);
    switch (what) {
    case BARRIER: MPI_Barrier(of); break;
    case GATHER: MPI_Gather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, of); break;
    case SCATTER: MPI_Scatter(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, of); break;
    case ALLGATHER: MPI_Allgather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, of); break;
    case ALLTOALL: MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, of); break;
    case REDUCE: MPI_Reduce(sent, received, doubles, MPI_DOUBLE, MPI_SUM, 0, of); break;
    case ALLREDUCE: MPI_Allreduce(sent, received, doubles, MPI_DOUBLE, MPI_SUM, of); break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter_block(sent, received, doubles, MPI_DOUBLE, MPI_SUM, of);
        break;
    case SCAN: MPI_Scan(sent, received, doubles, MPI_DOUBLE, MPI_SUM, of); break;
    case BCAST_TURNS: MPI_Bcast(received, bytes, MPI_BYTE, number % size, of); break;
    case PINGPONG: exchange(of); break;
    default: break;
    }
}

static void call_many(call what, MPI_Comm of, int count)
{
    if (what == IBCAST) {
        broadcast_many_at_once(of, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        call_once(what, of, i);
    }
}

/* Other buffers for another call or another size. */
static void use_buffers(call what, long bytes)
{
    if (what != filled_for || part_bytes != bytes) {
        filled_for = what;
        part_bytes = bytes;
        sent = realloc(sent, sent_size(what) + 8);
        received = realloc(received, received_size(what) + 8);
        memset(sent, 0, sent_size(what));
    }
}

static MPI_Comm communicator_of(const char *name)
{
    for (int i = 0; i < ways; i++) {
        if (strcmp(way_of[i].name, name) == 0) {
            return way_of[i].communicator;
        }
    }
    errno = EINVAL;
    fail(name);
    return MPI_COMM_NULL;
}

static void make_buffers(long largest_bytes)
{
    size_t bytes = largest_bytes + SHIFTS * 8;
    uint64_t state = 0x6d616463617374ULL;
    pattern = malloc(bytes);
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        pattern[i] = state >> 56;
    }
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i] = calloc(1, largest_bytes + 1);
    }
}

static const unsigned char *expected(int number)
{
    return pattern + (number % SHIFTS) * 8L;
}

static unsigned char *buffer(int number)
{
    return buffers[number % BUFFERS];
}

static void open_floor(void)
{
    int yes = 1, no = 0, bytes = FLOOR_BUFFER_BYTES;
    struct ip_mreqn membership = {.imr_ifindex = if_nametoindex(interface_name)};
    inet_pton(AF_INET, FLOOR_GROUP, &membership.imr_multiaddr);
    floor_group.sin_family = AF_INET;
    floor_group.sin_port = htons(FLOOR_PORT);
    floor_group.sin_addr = membership.imr_multiaddr;
    floor_socket = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(floor_socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(floor_socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    setsockopt(floor_socket, IPPROTO_IP, IP_MULTICAST_LOOP, &no, sizeof no);
    if (setsockopt(floor_socket, IPPROTO_IP, IP_MULTICAST_IF, &membership, sizeof membership)
        || bind(floor_socket, (struct sockaddr *)&floor_group, sizeof floor_group)
        || setsockopt(floor_socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership)) {
        fail("floor");
    }
}

/* A datagram's share of what is left; the last one has room for the trial's number too. */
static long floor_share(long left)
{
    long bytes = left < DATAGRAM_BYTES ? left : DATAGRAM_BYTES;
    long rest = left - bytes;
    return rest > 0 && rest < 4 ? bytes - 4 : bytes;
}

static void floor_send(void)
{
    unsigned char datagram[DATAGRAM_BYTES] = {0};
    uint32_t number = htonl((uint32_t)trial);
    memcpy(datagram, &number, sizeof number);
    for (long left = cell_bytes < 4 ? 4 : cell_bytes; left > 0;) {
        long bytes = floor_share(left);
        if (sendto(floor_socket, datagram, bytes, 0, (struct sockaddr *)&floor_group,
                   sizeof floor_group) < 0) {
            fail("floor");
        }
        left -= bytes;
    }
}

static void floor_forget(void)
{
    unsigned char datagram[DATAGRAM_BYTES];
    while (recv(floor_socket, datagram, sizeof datagram, MSG_DONTWAIT) >= 0) {
    }
}

static int floor_receive(int64_t deadline_ns)
{
    unsigned char datagram[DATAGRAM_BYTES];
    uint32_t wanted = htonl((uint32_t)trial);
    for (long left = cell_bytes < 4 ? 4 : cell_bytes; left > 0;) {
        ssize_t bytes = recv(floor_socket, datagram, sizeof datagram, MSG_DONTWAIT);
        if (bytes >= 4 && memcmp(datagram, &wanted, 4) == 0) {
            left -= bytes;
        } else if (bytes < 0) {
            int64_t left_ms = (deadline_ns - now_ns()) / 1000000;
            struct pollfd ready = {floor_socket, POLLIN, 0};
            if (left_ms <= 0) {
                return 0;
            }
            poll(&ready, 1, (int)left_ms);
        }
    }
    return 1;
}

/* Bytes that the interface of this process's own network has sent. */
static long long sent_bytes(void)
{
    char line[LINE_BYTES];
    long long sent = 0;
    FILE *devices = fopen("/proc/self/net/dev", "r");
    while (devices != NULL && fgets(line, sizeof line, devices) != NULL) {
        char *name = line + strspn(line, " ");
        size_t length = strlen(interface_name);
        if (strncmp(name, interface_name, length) == 0 && name[length] == ':') {
            sscanf(name + length + 1, "%*d %*d %*d %*d %*d %*d %*d %*d %lld", &sent);
        }
    }
    if (devices != NULL) {
        fclose(devices);
    }
    return sent;
}

/* Sleeps, then gives way to the ranks that spin in their call already, then spins. */
static void await_instant(int64_t instant_ns)
{
    int64_t left_ns;
    while ((left_ns = instant_ns - now_ns()) > 0) {
        if (left_ns > YIELD_NS) {
            sleep_ns(left_ns - YIELD_NS);
        } else if (left_ns > SPIN_NS) {
            sched_yield();
        }
    }
}

static void warm(const char *name, long bytes, int count)
{
    MPI_Comm communicator = communicator_of(name);
    call what = call_of(name);
    if (what != BCAST) {
        use_buffers(what, bytes);
        call_many(what, communicator, count);
        count = 0;
    }
    for (int i = count; i > 0; i--) {
        MPI_Bcast(buffer(i), (int)bytes, MPI_BYTE, 0, communicator);
    }
    tell("warm");
}

static void prepare(void)
{
    if (strcmp(cell_name, FLOOR) == 0) {
        if (rank != 0) {
            floor_forget();
        }
    } else if (call_of(cell_name) != BCAST) {
        use_buffers(call_of(cell_name), cell_bytes);
        fill(call_of(cell_name), trial);
    } else if (rank == 0) {
        memcpy(buffer(trial), expected(trial), cell_bytes);
    } else {
        memset(buffer(trial), 0, cell_bytes);
    }
    tell("ready %lld 0 -", sent_bytes());
}

static void go(int64_t start_ns, int64_t deadline_ns, int count)
{
    int is_floor = strcmp(cell_name, FLOOR) == 0;
    int complete = 1;
    MPI_Comm communicator = is_floor ? MPI_COMM_NULL : communicator_of(cell_name);
    call what = is_floor ? BCAST : call_of(cell_name);
    if (rank == 0 || what != BCAST) {
        await_instant(start_ns);
    }
    if (what != BCAST) {
        call_many(what, communicator, count);
    } else if (!is_floor) {
        for (int i = 0; i < count; i++) {
            MPI_Bcast(buffer(trial), (int)cell_bytes, MPI_BYTE, 0, communicator);
        }
    } else if (rank == 0) {
        floor_send();
    } else {
        complete = floor_receive(deadline_ns);
    }
    int64_t end_ns = now_ns();
    settle();
    int right = is_floor ? 1
                : what != BCAST ? is_right(what, trial)
                                : memcmp(buffer(trial), expected(trial), cell_bytes) == 0;
    tell("exit %lld %s", (long long)end_ns, !complete ? "missing" : right ? "ok" : "corrupt");
}

static void obey(void)
{
    for (;;) {
        char *line = next_line();
        long long first, second;
        int count;
        if (sscanf(line, "prepare %63s %ld %d", cell_name, &cell_bytes, &trial) == 3) {
            prepare();
        } else if (sscanf(line, "warm %63s %ld %d", cell_name, &cell_bytes, &count) == 3) {
            warm(cell_name, cell_bytes, count);
        } else if (sscanf(line, "go %lld %lld %d", &first, &second, &count) == 3) {
            go(first, second, count);
        } else {
            return;
        }
    }
}

int main(int count, char **arguments)
{
    int provided;
    MPI_Init(&count, &arguments);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (count < 5) {
        errno = EINVAL;
        fail("arguments");
    }
    interface_name = arguments[2];
    connect_to_parent(arguments[1]);
    make_buffers(atol(arguments[3]));
    open_floor();
    ways = count - 4;
    way_of = calloc(ways, sizeof *way_of);
    for (int i = 0; i < ways; i++) {
        make_way(&way_of[i], arguments[4 + i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    tell("joined");
    obey();
    for (int i = 0; i < ways; i++) {
        tell("repairs %s 0", way_of[i].name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
