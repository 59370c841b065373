package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contents are right after the right call only. */
class CallBuffersTest {

    private static final int RANKS = 3;
    private static final int BYTES = 16;
    private static final int TRIAL = 5;

    @Test
    void anAllgatherIsRightWhenEachRanksPartIsAtItsPlace() {
        List<CallBuffers> ranks = filled(MeasuredCall.ALLGATHER);
        for (CallBuffers to : ranks) {
            for (int from = 0; from < RANKS; from++) {
                part(to.received(), from).copyFrom(ranks.get(from).sent());
            }
        }

        assertThat(ranks).allMatch(it -> it.isRight(TRIAL));

        part(ranks.get(1).received(), 2).set(ValueLayout.JAVA_BYTE, 3, (byte) 99);
        assertThat(ranks.get(1).isRight(TRIAL)).isFalse();
        assertThat(ranks.get(2).isRight(TRIAL + 1)).isFalse();
    }

    @Test
    void anAlltoallIsRightWhenEachPartIsForItsRank() {
        List<CallBuffers> ranks = filled(MeasuredCall.ALLTOALL);
        for (int to = 0; to < RANKS; to++) {
            for (int from = 0; from < RANKS; from++) {
                part(ranks.get(to).received(), from).copyFrom(part(ranks.get(from).sent(), to));
            }
        }

        assertThat(ranks).allMatch(it -> it.isRight(TRIAL));

        part(ranks.get(0).received(), 1).copyFrom(part(ranks.get(1).sent(), 2));
        assertThat(ranks.getFirst().isRight(TRIAL)).isFalse();
    }

    @Test
    void anAllreduceIsRightWhenItIsTheSum() {
        List<CallBuffers> ranks = filled(MeasuredCall.ALLREDUCE);
        for (CallBuffers to : ranks) {
            for (int i = 0; i < BYTES / Double.BYTES; i++) {
                int index = i;
                to.received()
                        .setAtIndex(
                                ValueLayout.JAVA_DOUBLE,
                                i,
                                ranks.stream()
                                        .mapToDouble(it ->
                                                it.sent()
                                                        .getAtIndex(ValueLayout.JAVA_DOUBLE, index))
                                        .sum());
            }
        }

        assertThat(ranks).allMatch(it -> it.isRight(TRIAL));

        ranks.getFirst().received().setAtIndex(ValueLayout.JAVA_DOUBLE, 1, 0);
        assertThat(ranks.getFirst().isRight(TRIAL)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BARRIER")
    void nothingReceivedIsWrongAtSomeRank(MeasuredCall call) {
        assertThat(filled(call)).anyMatch(it -> !it.isRight(TRIAL));
    }

    @Test
    void aGatherIsRightAtItsRoot() {
        List<CallBuffers> ranks =
                IntStream.range(0, RANKS)
                        .mapToObj(
                                rank -> new CallBuffers(MeasuredCall.GATHER, BYTES, rank, RANKS, 2))
                        .toList();
        ranks.forEach(it -> it.fill(TRIAL));
        assertThat(ranks).extracting(it -> it.isRight(TRIAL)).containsExactly(true, true, false);

        for (int from = 0; from < RANKS; from++) {
            part(ranks.get(2).received(), from).copyFrom(ranks.get(from).sent());
        }

        assertThat(ranks).allMatch(it -> it.isRight(TRIAL));
    }

    @Test
    void doublesNeedAMultipleOfEightBytes() {
        assertThatThrownBy(() -> new CallBuffers(MeasuredCall.SCAN, 12, 0, RANKS, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scan of 12 bytes");
    }

    @Test
    void aCellsNameTellsItsCall() {
        assertThat(MeasuredCall.of("allgather/ring")).contains(MeasuredCall.ALLGATHER);
        assertThat(MeasuredCall.of("reduce_scatter")).contains(MeasuredCall.REDUCE_SCATTER);
        assertThat(MeasuredCall.of("once")).isEmpty();
        assertThat(MeasuredCall.of("chain/8KiB")).isEmpty();
    }

    private static List<CallBuffers> filled(MeasuredCall call) {
        List<CallBuffers> ranks =
                IntStream.range(0, RANKS)
                        .mapToObj(rank -> new CallBuffers(call, BYTES, rank, RANKS, 0))
                        .toList();
        ranks.forEach(it -> it.fill(TRIAL));
        return ranks;
    }

    private static MemorySegment part(MemorySegment of, long number) {
        return of.asSlice(number * BYTES, BYTES);
    }
}
