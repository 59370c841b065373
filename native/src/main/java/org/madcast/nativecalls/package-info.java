/**
 * The native functions that Madcast calls. {@link org.madcast.nativecalls.NativeLibrary} binds
 * them; each other class has the functions for one purpose, which are bound when the class is first
 * used. A function that cannot be bound is no exception: {@link org.madcast.nativecalls.Loaded} has
 * the reason, and the caller falls back to what the JDK offers.
 */
@NullMarked
package org.madcast.nativecalls;

import org.jspecify.annotations.NullMarked;
