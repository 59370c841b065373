package org.madcast.client.protocol;

/** The small machines that an engine is made of, for those of them that work with many others. */
record EngineParts(
        EngineConfig config,
        MessageShape shape,
        FragmentRing ring,
        LossTracker loss,
        RepairQueue desk,
        ForwardQueue forwards,
        RepairExchange repairs,
        ProgressTree tree,
        WaitMonitor waiting,
        FailureSpread failing,
        GroupWatch group,
        EngineCounters counters) {}
