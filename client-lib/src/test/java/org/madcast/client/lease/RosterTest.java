package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class RosterTest {

    private final Roster roster = new Roster(hello("job", 0, 4, "own"), "here");

    private static HelloMessage hello(String job, int rank, int size, String instance) {
        return new HelloMessage(job, "world", rank, size, instance);
    }

    private static Member member(int rank) {
        return new Member(
                rank, new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + rank), 1, 2);
    }

    private void assertRefused(HelloMessage hello, String reason) {
        assertThat(roster.admit(hello, "peer"))
                .isInstanceOfSatisfying(
                        Roster.Admission.Refused.class,
                        refused -> assertThat(refused.reason()).contains(reason));
    }

    private void assertWelcome(HelloMessage hello) {
        assertThat(roster.admit(hello, "peer")).isInstanceOf(Roster.Admission.Welcome.class);
    }

    @Test
    void admitsEachRankOneTime() {
        assertWelcome(hello("job", 1, 4, "a"));
        assertWelcome(hello("job", 1, 4, "a"));
        assertRefused(hello("job", 1, 4, "b"), "rank 1 is taken by the process at peer");
        assertRefused(hello("job", 0, 4, "b"), "rank 0 is taken");
    }

    @Test
    void refusesOtherJobsAndSizes() {
        assertRefused(hello("other", 1, 4, "a"), "rank 1 to 'world' of job 'other'");
        assertRefused(hello("job", 1, 5, "a"), "size 4, but rank 1 with size 5");
        assertRefused(hello("job", 4, 4, "a"), "rank 4 is outside 0 to 3");
    }

    @Test
    void aRankThatWentAwayBeforeItWasAMemberMayBeReplaced() {
        assertWelcome(hello("job", 1, 4, "a"));
        roster.forget(hello("job", 1, 4, "b"));
        assertRefused(hello("job", 1, 4, "b"), "taken");
        roster.forget(hello("job", 1, 4, "a"));
        assertWelcome(hello("job", 1, 4, "b"));
        roster.register(member(1));
        roster.forget(hello("job", 1, 4, "b"));
        assertRefused(hello("job", 1, 4, "c"), "taken");
    }

    @Test
    void itsFirstConnectionsEndDoesNotFreeThePlaceOfWhoCameByASecond() {
        assertWelcome(hello("job", 1, 4, "a"));
        assertWelcome(hello("job", 1, 4, "a"));
        roster.forget(hello("job", 1, 4, "a"));
        assertRefused(hello("job", 1, 4, "b"), "taken");
        roster.forget(hello("job", 1, 4, "a"));
        assertWelcome(hello("job", 1, 4, "b"));
    }

    @Test
    void isCompleteWithAllMembers() {
        for (int rank : new int[] {2, 0, 3}) {
            roster.register(member(rank));
        }
        assertThat(roster.isComplete()).isFalse();
        assertRefused(hello("job", 1, 9, "a"), "size 9");
        assertThat(roster.explanation())
                .startsWith(
                        "rank 1 did not come; peer was refused: rank 0 was started with size 4");
        roster.register(member(1));
        assertThat(roster.isComplete()).isTrue();
        assertThat(roster.members()).extracting(Member::rank).containsExactly(0, 1, 2, 3);
    }
}
