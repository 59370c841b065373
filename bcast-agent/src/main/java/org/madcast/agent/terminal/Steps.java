package org.madcast.agent.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The steps of a command that takes longer: on a terminal one line that moves, with a check mark
 * and the time for each step that is done; elsewhere one plain line for each step that is done. Any
 * thread may call any method; steps may run beside each other.
 */
public final class Steps implements AutoCloseable {

    private static final long FRAME_MS = 100;

    /**
     * What does not fit is cut off: of a line that was wrapped only the last row could be erased.
     */
    private static final String UNWRAPPED = "\033[?7l";

    private static final String WRAPPED = "\033[?7h";

    /** Of such a line every further letter is in the last column, each over the one before. */
    private static final String WITHOUT_LAST_COLUMN = "\033[999G\033[K";

    private final PrintWriter out;
    private final boolean moving;
    private final Glyphs glyphs;
    private final List<Step> running = new ArrayList<>();
    private int frame;
    private boolean closed;

    /** Steps on this writer, which is a terminal or not. */
    Steps(PrintWriter out, boolean moving) {
        this.out = out;
        this.moving = moving;
        this.glyphs = moving ? Glyphs.ofStandardError() : Glyphs.ASCII;
    }

    /** Steps on this writer, which stands for standard error. */
    public static Steps on(PrintWriter err) {
        Steps steps = new Steps(err, isTerminal());
        if (steps.moving) {
            LibraryLog.through(line -> steps.say("madcast: " + line));
            Thread.ofPlatform().daemon().name("steps").start(steps::move);
        }
        return steps;
    }

    private static boolean isTerminal() {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /** Begins a step, such as "starting the service". */
    public synchronized Step begin(String doing) {
        Step step = new Step(doing);
        running.add(step);
        paint();
        return step;
    }

    /** Runs a step from its beginning to its end; the result's text says what was done. */
    public <T> T run(String doing, Callable<T> work, Function<T, String> done) throws Exception {
        Step step = begin(doing);
        try {
            T result = work.call();
            step.done(done.apply(result));
            return result;
        } finally {
            step.abandon();
        }
    }

    /** Says something between the steps. */
    public synchronized void say(String line) {
        if (!closed) {
            erase();
            out.println(line);
            paint();
        }
    }

    private void move() {
        try {
            while (advance()) {
                Thread.sleep(FRAME_MS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean advance() {
        frame++;
        paint();
        return !closed;
    }

    private void erase() {
        if (moving) {
            out.print("\r\033[K");
        }
    }

    private void paint() {
        if (moving && !closed && !running.isEmpty()) {
            erase();
            out.print(UNWRAPPED);
            out.print(glyphs.spinner.charAt(frame % glyphs.spinner.length()));
            for (int i = 0; i < running.size(); i++) {
                out.print((i == 0 ? " " : ", ") + running.get(i).current());
            }
            out.print(WITHOUT_LAST_COLUMN + WRAPPED);
        }
        out.flush();
    }

    /** Removes the moving line; nothing is shown from now on. */
    @Override
    public synchronized void close() {
        if (!closed) {
            erase();
            closed = true;
            out.flush();
            if (moving) {
                LibraryLog.through(null);
            }
        }
    }

    private static String seconds(long sinceNs) {
        return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - sinceNs) / 1e9);
    }

    /** One step: begun, perhaps partly done, then done or abandoned. */
    public final class Step {
        private final String doing;
        private final long startNs = System.nanoTime();
        private double part = -1;
        private String note = "";

        private Step(String doing) {
            this.doing = doing;
        }

        /** How much is done, 0 to 1; shown as a bar. */
        public void progress(double part) {
            synchronized (Steps.this) {
                this.part = Math.clamp(part, 0, 1);
            }
        }

        /** As {@link #progress(double)}, with a few words behind the bar. */
        public void progress(double part, String note) {
            synchronized (Steps.this) {
                this.part = Math.clamp(part, 0, 1);
                this.note = note;
            }
        }

        /** Ends it with what was done. */
        public void done(String done) {
            end(mark("\033[32m", glyphs.done) + " " + done + " (" + seconds(startNs) + ")");
        }

        /** Ends it without a word unless it has ended. */
        public void abandon() {
            synchronized (Steps.this) {
                running.remove(this);
            }
        }

        private void end(String line) {
            synchronized (Steps.this) {
                running.remove(this);
                say(line);
            }
        }

        private String mark(String colour, String mark) {
            return moving && System.getenv("NO_COLOR") == null ? colour + mark + "\033[0m" : mark;
        }

        private String current() {
            if (part < 0) {
                return doing + " ... " + seconds(startNs);
            }
            int width = 24;
            int full = (int) Math.round(part * width);
            return String.format(
                    Locale.ROOT,
                    "%s %s%s %3.0f %% %s%s",
                    doing,
                    String.valueOf(glyphs.full).repeat(full),
                    String.valueOf(glyphs.empty).repeat(width - full),
                    part * 100,
                    seconds(startNs),
                    note.isEmpty() ? "" : ", " + note);
        }
    }
}
