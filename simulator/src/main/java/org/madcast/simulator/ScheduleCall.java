package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.madcast.client.message.Transfer;
import org.madcast.client.message.VirtualEndpoint;
import org.madcast.client.schedule.Schedule;
import org.madcast.client.schedule.Step;

/**
 * A rank's call of a collective operation: the rounds of a schedule, one after the other. What the
 * messages contain does not matter, so all of them are of one piece of memory.
 */
final class ScheduleCall {

    private static final int TAG = 0;
    private static final long CALL = 1;

    /** Has something done after a while. */
    interface Timer {
        void after(long ns, Runnable action);
    }

    private final Schedule schedule;
    private final VirtualEndpoint endpoint;
    private final MemorySegment memory;
    private final long elementBytes;
    private final Timer timer;
    private final Runnable whenDone;
    private int round;
    private int open;
    private boolean advancing;

    /**
     * A call that has not begun.
     *
     * @param memory as long as the longest message
     * @param elementBytes what an element of the schedule is
     */
    ScheduleCall(
            Schedule schedule,
            VirtualEndpoint endpoint,
            MemorySegment memory,
            long elementBytes,
            Timer timer,
            Runnable whenDone) {
        this.schedule = schedule;
        this.endpoint = endpoint;
        this.memory = memory;
        this.elementBytes = elementBytes;
        this.timer = timer;
        this.whenDone = whenDone;
    }

    /** Begins rounds until one has to wait. */
    void advance() {
        if (advancing) {
            return; // a round that ends within its start does not nest
        }
        advancing = true;
        while (open == 0 && round < schedule.rounds().size()) {
            begin(schedule.rounds().get(round++));
        }
        advancing = false;
        if (open == 0) {
            open = -1; // once only
            whenDone.run();
        }
    }

    private void begin(List<Step> steps) {
        long elements = 0;
        for (Step step : steps) {
            if (step instanceof Step.Combine combine) {
                elements += combine.into().count();
            }
        }
        long combiningNs = Math.round(elements * elementBytes * ProcessorCosts.COMBINE_NS_PER_BYTE);
        if (combiningNs == 0) {
            exchange(steps);
            return;
        }
        open = 1;
        timer.after(
                combiningNs,
                () -> {
                    open = 0;
                    exchange(steps);
                    advance();
                });
    }

    private void exchange(List<Step> steps) {
        open = 1; // so that the round does not end before all of it has begun
        for (Step step : steps) {
            switch (step) {
                case Step.Send(int peer, var data) -> {
                    open++;
                    endpoint.start(
                            new Transfer.Send(
                                    VirtualEndpoint.CONTEXT,
                                    peer,
                                    TAG,
                                    CALL,
                                    memory(data.count()),
                                    false,
                                    this::onDone));
                }
                case Step.Receive(int peer, var into) -> {
                    open++;
                    endpoint.start(
                            new Transfer.Receive(
                                    VirtualEndpoint.CONTEXT,
                                    peer,
                                    TAG,
                                    CALL,
                                    memory(into.count()),
                                    null,
                                    this::onDone));
                }
                case Step.Copy _, Step.Combine _ -> {
                    // They have been counted.
                }
            }
        }
        open--;
    }

    private MemorySegment memory(long elements) {
        return memory.asSlice(0, elements * elementBytes);
    }

    private void onDone() {
        open--;
        advance();
    }
}
