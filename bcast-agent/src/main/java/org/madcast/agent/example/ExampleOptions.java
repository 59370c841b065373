package org.madcast.agent.example;

import java.util.List;
import java.util.Optional;
import org.madcast.lab.LinkRate;

/**
 * What is to be run.
 *
 * @param hosts of the lab
 * @param ranks one after the other on the hosts
 * @param rate of a link; empty for no limit
 * @param size what the application takes it for
 * @param inLab whether there are hosts at all; otherwise ranks use the loopback interface
 * @param arguments of the program
 */
record ExampleOptions(
        Application application,
        int hosts,
        int ranks,
        Optional<LinkRate> rate,
        int size,
        boolean inLab,
        List<String> arguments) {

    /** Where it runs, in words. */
    String place() {
        return ranks
                + (ranks == 1 ? " rank" : " ranks")
                + (inLab
                        ? " on "
                                + hosts
                                + (hosts == 1 ? " host" : " hosts")
                                + rate.map(limit -> ", " + limit + " a link").orElse("")
                        : " on this machine's loopback interface");
    }

    /** The command that runs it, with what is not the default. */
    String command() {
        StringBuilder command =
                new StringBuilder(inLab ? "sudo ./madcast example " : "./madcast example ");
        command.append(application.label());
        if (!inLab) {
            command.append(" --no-lab");
        }
        if (hosts != application.hosts()) {
            command.append(" --hosts ").append(hosts);
        }
        if (ranks != hosts) {
            command.append(" --ranks ").append(ranks);
        }
        String limit = rate.map(LinkRate::toString).orElse("none");
        if (!limit.equals(ExampleCommand.RATE)) {
            command.append(" --rate ").append(limit);
        }
        if (size != application.size()) {
            command.append(" --size ").append(size);
        }
        return command.toString();
    }
}
