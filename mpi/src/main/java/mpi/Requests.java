package mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Messages;

/** Arrays of requests, some of which may be null or inactive. */
final class Requests {

    /** Some are active, but none has ended. */
    static final int PENDING = -1;

    /** How often requests of several libraries are looked at. */
    private static final Duration LOOK = Duration.ofMillis(1);

    /** In longer arrays the search begins where the last one ended. */
    private static final int SHORT = 256;

    private static volatile int lastFound;

    private Requests() {}

    private static void check(Request @Nullable [] requests) {
        if (requests == null) {
            throw Errors.raise(new MPIException(ErrorClass.ARG, "the array of requests is null"));
        }
    }

    private static @Nullable Operation operation(@Nullable Request request) {
        return request == null ? null : request.operation();
    }

    /** One that has ended, PENDING, or UNDEFINED when none is active. */
    static int findEnded(Request[] requests) {
        check(requests);
        int found = ended(requests);
        if (found == PENDING) {
            Messages messages = messages(requests);
            if (messages != null) {
                messages.poll();
            }
            found = ended(requests);
            if (found == PENDING) {
                Operation.letOthersRun();
            }
        }
        return found;
    }

    private static int ended(Request[] requests) {
        int result = MPI.UNDEFINED;
        int length = requests.length;
        int last = lastFound;
        int from = last < length ? last : 0;
        for (int i = 0; i < length; i++) {
            int place = length > SHORT ? around(from, i, length) : i;
            Operation running = operation(requests[place]);
            if (running != null) {
                if (running.isDone()) {
                    lastFound = place;
                    return place;
                }
                result = PENDING;
            }
        }
        return result;
    }

    /** The places of a ring: this one, then the next on both sides, and so on. */
    private static int around(int from, int step, int length) {
        int place = from + ((step & 1) == 0 ? -(step / 2) : step / 2 + 1);
        if (place < 0) {
            return place + length;
        }
        return place < length ? place : place - length;
    }

    private static @Nullable Messages messages(Request[] requests) {
        for (Request each : requests) {
            Operation running = operation(each);
            if (running != null && running.messages() != null) {
                return running.messages();
            }
        }
        return null;
    }

    /** Waits until one has ended; UNDEFINED when none is active. */
    static int awaitAny(Request[] requests) {
        check(requests);
        int found = ended(requests);
        Messages messages = found == PENDING ? messages(requests) : null;
        while (found == PENDING) {
            if (messages == null) {
                awaitFutures(requests);
            } else {
                boolean _ = messages.await(() -> ended(requests) != PENDING, LOOK);
            }
            found = ended(requests);
        }
        return found;
    }

    /** Waits for one of the requests that end by other threads' work, as those of files do. */
    private static void awaitFutures(Request[] requests) {
        CompletableFuture<?>[] running =
                Arrays.stream(requests)
                        .map(Requests::operation)
                        .filter(it -> it != null)
                        .map(Operation::future)
                        .toArray(CompletableFuture[]::new);
        var _ = CompletableFuture.anyOf(running).handle((_, _) -> true).join();
    }

    /** Finishes the one at this place. */
    static Status finish(Request[] requests, int index) {
        if (index == MPI.UNDEFINED) {
            return Status.ofNone();
        }
        Request request = requests[index];
        try {
            return request.finish().at(index);
        } catch (RuntimeException failed) {
            throw request.raise(failed);
        }
    }

    static boolean haveAllEnded(Request[] requests) {
        check(requests);
        boolean polled = false;
        for (Request each : requests) {
            Operation running = operation(each);
            if (running != null && !running.isDone()) {
                if (polled || !running.poll()) {
                    return false;
                }
                polled = true;
            }
        }
        return true;
    }

    static Status[] finishAll(Request[] requests) {
        check(requests);
        return finish(requests, i -> true);
    }

    /** Finishes those that have ended. */
    static Status[] finishSome(Request[] requests) {
        Status[] all =
                finish(
                        requests,
                        i -> {
                            Operation running = operation(requests[i]);
                            return running != null && running.isDone();
                        });
        return Arrays.stream(all).filter(it -> it != null).toArray(Status[]::new);
    }

    private static Status[] finish(Request[] requests, java.util.function.IntPredicate which) {
        Status[] statuses = new Status[requests.length];
        List<String> failures = new ArrayList<>();
        MPIException first = null;
        Request failing = null;
        for (int i = 0; i < requests.length; i++) {
            if (!which.test(i)) {
                continue;
            }
            Request request = requests[i];
            try {
                statuses[i] = (request == null ? Status.ofNone() : request.finish()).at(i);
            } catch (RuntimeException failed) {
                MPIException error = Errors.of(failed);
                statuses[i] = new Status().at(i).error(error);
                failures.add("request " + i + ": " + error.getMessage());
                first = first == null ? error : first;
                failing = request;
            }
        }
        if (first != null && failing != null) {
            throw failing.raise(
                    new MPIException(ErrorClass.IN_STATUS, String.join("; ", failures), first));
        }
        return statuses;
    }

    static int @Nullable [] indices(Status @Nullable [] statuses) {
        return statuses == null
                ? null
                : Arrays.stream(statuses).mapToInt(Status::getIndex).toArray();
    }
}
