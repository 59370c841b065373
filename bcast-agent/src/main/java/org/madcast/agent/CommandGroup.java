package org.madcast.agent;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has commands below it: without the name of one it shows its help. */
public abstract class CommandGroup implements Runnable {

    @Spec private CommandSpec spec = CommandSpec.create();

    /** For the commands. */
    protected CommandGroup() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
