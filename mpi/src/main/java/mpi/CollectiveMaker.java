package mpi;

import org.jspecify.annotations.Nullable;

/**
 * Makes collective calls, between the ranks of one group or between two groups. What is null is not
 * this rank's part of the call: a send buffer at a rank that only receives or works in place.
 */
interface CollectiveMaker {

    CollectiveCall barrier();

    /** One of the two is null unless this rank takes no part. */
    CollectiveCall bcast(@Nullable Payload sent, @Nullable Payload received, int root);

    CollectiveCall gather(
            @Nullable Payload sent, @Nullable Blocks received, int root, boolean even);

    CollectiveCall scatter(
            @Nullable Blocks sent, @Nullable Payload received, int root, boolean even);

    CollectiveCall allgather(@Nullable Payload sent, Blocks received, boolean even);

    CollectiveCall alltoall(Blocks sent, Blocks received, boolean even);

    /** The reduction is null at a rank that takes no part. */
    CollectiveCall reduce(@Nullable Reduction reduction, int root);

    CollectiveCall allreduce(Reduction reduction);

    /** Every rank gets {@code counts[rank]} elements of the result. */
    CollectiveCall reduceScatter(Reduction reduction, int[] counts);
}
