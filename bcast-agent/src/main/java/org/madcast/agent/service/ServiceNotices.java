package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;

/**
 * Tells the allocation service how something goes, from a thread of its own. Who tells never waits,
 * and only the latest news waits to be sent: a service that is slow gets fewer, one that is away
 * none. {@link #tell} from any thread.
 */
public final class ServiceNotices implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ServiceNotices.class.getName());
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final ServiceClient service;
    private final String path;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private @Nullable JsonObject latest;
    private boolean closing;

    /** Notifies this service, at this path. */
    public ServiceNotices(ServiceClient service, String path) {
        this.service = service;
        this.path = path;
        this.thread = Thread.ofPlatform().daemon().name("madcast-notices").start(this::run);
    }

    /** Sends this as soon as may be, instead of what was not sent yet. */
    public void tell(JsonObject news) {
        lock.lock();
        try {
            latest = news;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            JsonObject news;
            while ((news = next()) != null) {
                send(news);
            }
        } catch (InterruptedException outOfTime) {
            Thread.currentThread().interrupt();
        }
    }

    /** What to send next; null when there is nothing and never will be. */
    private @Nullable JsonObject next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (latest == null && !closing) {
                changed.await();
            }
            JsonObject news = latest;
            latest = null;
            return news;
        } finally {
            lock.unlock();
        }
    }

    private void send(JsonObject news) throws InterruptedException {
        try {
            JsonObject _ = service.post(path, news, Map.of());
        } catch (CommandFailure notTold) {
            LOG.log(Level.DEBUG, "{0} was not sent: {1}", path, notTold.getMessage());
        }
    }

    /** Sends the last news, if that takes no longer than two seconds. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            if (!thread.join(CLOSE_LIMIT)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
