package org.madcast.measure;

import java.util.List;
import org.madcast.agent.FurtherCommands;
import org.madcast.measure.bench.BenchCommand;
import org.madcast.measure.leasebench.BenchLeasesCommand;
import org.madcast.measure.loggp.LogGpCommand;
import org.madcast.measure.model.ModelCommand;
import org.madcast.measure.reproduce.ReproduceCommand;
import org.madcast.measure.simulate.SimulateCommand;

/** What this archive adds to the command line. */
public final class MeasuringCommands implements FurtherCommands {

    @Override
    public List<Class<?>> commands() {
        return List.of(
                BenchCommand.class,
                SimulateCommand.class,
                ModelCommand.class,
                ReproduceCommand.class,
                BenchLeasesCommand.class,
                LogGpCommand.class);
    }
}
