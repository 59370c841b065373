package org.madcast.measure.bench;

/**
 * How often something is done.
 *
 * @param launches how often all processes are started anew
 * @param repetitions how often each cell is timed in a launch
 * @param warmUps how often each cell runs as if it were timed before, at most; large messages fewer
 *     times
 * @param burst how many broadcasts one behind the other a cell begins with, at most: thousands
 *     where code is yet to be compiled
 * @param calls how many calls one behind the other a time is taken over
 */
public record Amount(int launches, int repetitions, int warmUps, int burst, int calls) {

    Amount withCalls(int others) {
        return new Amount(launches, repetitions, warmUps, burst, others);
    }
}
