/** Where lines of the log go: a file descriptor. */
import { writeSync } from 'node:fs'

export interface LineOutput {
  /** Returns how many bytes were taken. Throws an error with the code `EAGAIN` where none can be taken now. */
  write(bytes: Uint8Array): number
  /** Blocks the process. */
  pause(ms: number): void
}

/**
 * The standard output of the process. Node.js sets a pipe or a socket to non-blocking when `process.stdout` is read first; with
 * `process.stdout.write` each line would be a write of its own, and what a slow reader leaves would pile up without a bound.
 */
export function standardOutput(): LineOutput {
  const { fd } = process.stdout
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  return {
    write: (bytes) => writeSync(fd, bytes),
    pause: (ms) => void Atomics.wait(nothing, 0, 0, ms),
  }
}
