package org.madcast.agent;

import java.util.List;

/**
 * Commands that another archive on the class path adds to the command line, found by {@link
 * java.util.ServiceLoader}. The archives of the agent's daemon have none.
 */
public interface FurtherCommands {

    /** Their classes, each with picocli's annotation, in the order of the help. */
    List<Class<?>> commands();
}
