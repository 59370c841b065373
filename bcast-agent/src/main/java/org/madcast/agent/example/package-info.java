/**
 * madcast example: an application in its blocking and its overlapped form, and what overlap saved.
 */
@NullMarked
package org.madcast.agent.example;

import org.jspecify.annotations.NullMarked;
