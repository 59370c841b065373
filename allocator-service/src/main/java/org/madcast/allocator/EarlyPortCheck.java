package org.madcast.allocator;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Notices before anything is started that the port is in use, so that a second start fails at once
 * and leaves the data directory alone. The web server still has the last word.
 */
final class EarlyPortCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        Environment environment = event.getEnvironment();
        int port = environment.getProperty("server.port", Integer.class, 0);
        if (port <= 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(
                    new InetSocketAddress(
                            InetAddress.getByName(
                                    environment.getProperty("server.address", "0.0.0.0")),
                            port));
        } catch (BindException taken) {
            throw new PortInUseException(port, taken);
        } catch (IOException unclear) {
            return; // the web server will tell what is wrong
        }
    }
}
