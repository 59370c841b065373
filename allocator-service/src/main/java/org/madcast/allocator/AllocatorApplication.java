package org.madcast.allocator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The allocation service's program. Arguments are Spring Boot's, so {@code --madcast.data-dir=DIR}
 * and {@code --server.port=N} set properties. A start that fails is reported in one line on stderr;
 * the exit codes are those of {@link StartFailure}.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class AllocatorApplication {

    /** Starts the service; it runs until the process is signalled to end. */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(AllocatorApplication.class);
        application.addListeners(
                new EarlyPortCheck(), new Starter(System.in, () -> System.exit(0)));
        try {
            application.run(args);
        } catch (RuntimeException failure) {
            StartFailure told = StartFailure.of(failure);
            System.err.println("allocator-service: " + told.message());
            System.exit(told.exitCode());
        }
    }
}
