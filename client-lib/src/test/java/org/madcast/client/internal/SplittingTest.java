package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.GroupSource;

/** While a communicator moves from a leased group to another, its ranks do not know the same. */
@Timeout(60)
class SplittingTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allMeetInOneWayWhateverEachKnowsOfTheGroup(boolean dup) throws Exception {
        onEveryRank(
                3,
                config -> config,
                communicator -> {
                    Splitting splitting =
                            new Splitting(
                                    communicator.rank() == 1 ? late(communicator) : communicator,
                                    ((MessagingCommunicator) communicator).group(),
                                    config(communicator),
                                    0);
                    int color = communicator.rank() == 2 ? -1 : 0;
                    Optional<Communicator> part =
                            dup ? Optional.of(splitting.dup()) : splitting.split(color, 0);
                    assertThat(part.isPresent()).isEqualTo(dup || color == 0);
                    part.ifPresent(made -> {
                        made.barrier();
                        made.close();
                    });
                    return 0;
                });
    }

    private static CommunicatorConfig config(Communicator communicator) {
        return CommunicatorConfig.builder(
                        communicator.info().jobId(), communicator.rank(), communicator.size())
                .networkInterface("lo")
                .joinTimeout(Duration.ofSeconds(10))
                .build();
    }

    /** The same communicator on a rank that believes the group to be leased still. */
    private static Communicator late(Communicator communicator) {
        CommunicatorInfo now = communicator.info();
        CommunicatorInfo before =
                new CommunicatorInfo(
                        now.jobId(),
                        now.name(),
                        now.group(),
                        GroupSource.LEASED,
                        now.scope(),
                        now.leaseId(),
                        now.leaseExpiresAt(),
                        now.token(),
                        now.members(),
                        now.local());
        return (Communicator)
                Proxy.newProxyInstance(
                        Communicator.class.getClassLoader(),
                        new Class<?>[] {Communicator.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("info")) {
                                return before;
                            }
                            try {
                                return method.invoke(communicator, arguments);
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }
}
