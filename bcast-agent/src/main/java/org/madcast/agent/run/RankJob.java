package org.madcast.agent.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.OwnSession;
import org.madcast.agent.process.RankJvm;
import org.madcast.agent.process.Signals;
import org.madcast.agent.profile.ProfileReport;

/**
 * The ranks of one {@code madcast run}, from their start until the last one has ended. Standard
 * input goes to rank 0, the first INT or TERM to every rank, the second one kills them. The first
 * rank that fails ends the others; where that is wanted, one that is killed does not.
 */
final class RankJob {

    private static final Duration GRACE = Duration.ofSeconds(2);

    /** How long ranks may take to end after a signal. */
    private static final Duration SIGNAL_GRACE = Duration.ofSeconds(10);

    /** How long a signal to all processes of a terminal may reach a rank sooner than this one. */
    private static final Duration SIGNAL_DELAY = Duration.ofMillis(500);

    /** What a shell says of a program that INT or TERM has ended. */
    private static final List<Integer> SIGNALLED = List.of(130, 143);

    /** How the line begins in which a rank reports its calls. */
    private static final String REPORT = "madcast: report: ";

    /**
     * A greater exit code is that of a process that a signal has ended, or of ssh without its host.
     */
    private static final int MOST_OF_A_PROGRAM = 128;

    private sealed interface Event {
        record Ended(Child child) implements Event {}

        record Heard(Signals signal) implements Event {}
    }

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Child> running = new ArrayList<>();
    private final Map<Integer, String> reports = new ConcurrentSkipListMap<>();
    private final RankOutput out;
    private final RankOutput err;
    private final PrintWriter remarks;
    private final boolean interactive;
    private final boolean survives;
    private @Nullable Signals heard;
    private volatile boolean well;

    /**
     * A job without ranks.
     *
     * @param prefixed whether lines begin with the number of their rank
     * @param interactive whether rank 0 writes to a terminal, so that its output is passed on at
     *     once
     * @param survives whether the others go on without a rank that is killed
     */
    RankJob(
            PrintWriter out,
            PrintWriter err,
            boolean prefixed,
            boolean interactive,
            boolean survives) {
        this.out = new RankOutput(out, prefixed);
        this.err = new RankOutput(err, prefixed);
        this.remarks = err;
        this.interactive = interactive;
        this.survives = survives;
    }

    /**
     * Hears INT and TERM until the result is closed. It begins before the first rank starts, so
     * that each gets the signal itself, however soon after its start.
     */
    Signals.Hearing hear() {
        return Signals.hear(signal -> events.add(new Event.Heard(signal)));
    }

    /** Whether a signal was heard that ranks have not got yet, so that no more are to start. */
    boolean isInterrupted() {
        return events.stream().anyMatch(Event.Heard.class::isInstance);
    }

    /** Starts the next rank. */
    void start(RankPlaces places, List<String> command, Map<String, String> variables)
            throws IOException {
        int rank = running.size();
        Consumer<String> onError = err.of(rank);
        Consumer<String> onErrorLine =
                text -> {
                    if (text.startsWith(REPORT)) {
                        reports.put(rank, text.substring(REPORT.length()));
                    } else if (!RankJvm.isNote(text.stripTrailing(), variables)) {
                        onError.accept(text);
                    }
                };
        Child child =
                Child.startForText(
                        "rank " + rank + " on " + places.host(rank),
                        OwnSession.ofBound(places.command(rank, command, variables)),
                        variables,
                        interactive && rank == 0,
                        out.of(rank),
                        onErrorLine);
        running.add(child);
        if (rank == 0 && places.endWithTheirInput()) {
            RankInput.passInLines(System.in, child.input());
        } else if (rank == 0) {
            RankInput.pass(System.in, child.input());
        } else if (!places.endWithTheirInput()) {
            child.input().close();
        }
    }

    /**
     * Ends all ranks, and what a failed one has started, unless all have ended well, and prints
     * what ranks have reported.
     */
    void end() {
        if (!well) {
            endThoseLeft();
        }
        report();
    }

    private void endThoseLeft() {
        List<Child> alive = running.stream().filter(Child::isAlive).toList();
        Signals.TERM.sendTo(alive);
        Children.await(alive, GRACE);
        Signals.KILL.sendTo(running);
    }

    /**
     * Waits until all have ended, and returns the exit code of the first that failed; 0 if those
     * that survived have ended well.
     */
    int await() throws InterruptedException {
        for (Child child : running) {
            var _ = child.onExit().thenRun(() -> events.add(new Event.Ended(child)));
        }
        List<Child> left = new ArrayList<>(running);
        long deadlineNs = Long.MAX_VALUE;
        int killed = 0;
        while (!left.isEmpty()) {
            Event event =
                    heard == null
                            ? events.take()
                            : events.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event instanceof Event.Ended(Child child)) {
                left.remove(child);
                child.await(GRACE);
                if (heard == null && child.exitValue() != 0) {
                    if (SIGNALLED.contains(child.exitValue()) && heardNow()) {
                        deadlineNs = System.nanoTime() + SIGNAL_GRACE.toNanos();
                    } else if (survives
                            && child.exitValue() > MOST_OF_A_PROGRAM
                            && ++killed < running.size()) {
                        say(failure(child, left.isEmpty() ? "" : "; the others go on"));
                    } else {
                        say(failure(child, left.isEmpty() ? "" : "; ending the others"));
                        return child.exitValue();
                    }
                }
            } else if (event instanceof Event.Heard(Signals signal) && heard == null) {
                pass(signal, left);
                deadlineNs = System.nanoTime() + SIGNAL_GRACE.toNanos();
            } else {
                Signals.KILL.sendTo(left);
                deadlineNs = System.nanoTime() + SIGNAL_GRACE.toNanos();
            }
        }
        Signals ended = heard;
        well = ended == null && killed == 0;
        return ended == null ? ExitCode.OK.code() : ended.exitCode();
    }

    /** Whether a signal comes, since one has just ended a rank; it is the reason then. */
    private boolean heardNow() throws InterruptedException {
        List<Event> others = new ArrayList<>();
        long deadlineNs = System.nanoTime() + SIGNAL_DELAY.toNanos();
        Event event;
        do {
            event = events.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event instanceof Event.Heard(Signals signal)) {
                pass(signal, running.stream().filter(Child::isAlive).toList());
            } else if (event != null) {
                others.add(event);
            }
        } while (event != null && heard == null);
        events.addAll(others);
        return heard != null;
    }

    private void pass(Signals signal, List<Child> ranks) {
        heard = signal;
        say("interrupted");
        signal.sendTo(ranks);
    }

    /** Where their time went. */
    private void report() {
        if (!reports.isEmpty()) {
            synchronized (err) {
                ProfileReport.ofLines(List.copyOf(reports.values())).print(remarks);
            }
        }
    }

    private static String failure(Child child, String others) {
        String signal = Signals.describe(child.exitValue());
        return child.name()
                + " ended with code "
                + child.exitValue()
                + (signal.isEmpty() ? "" : " (signal " + signal + ")")
                + others;
    }

    private void say(String remark) {
        synchronized (err) {
            remarks.println("madcast: " + remark);
            remarks.flush();
        }
    }
}
