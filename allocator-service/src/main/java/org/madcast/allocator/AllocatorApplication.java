package org.madcast.allocator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The allocation service's program. Arguments are Spring Boot's, so {@code --madcast.data-dir=DIR}
 * and {@code --server.port=N} set properties.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class AllocatorApplication {

    /** Starts the service; it runs until the process is told to end. */
    public static void main(String[] args) {
        SpringApplication.run(AllocatorApplication.class, args);
    }
}
