/** Loaded into a gateway under test before anything else: states on demand how long its longest turn was since the last time. */
import { watchTurns } from '../kit/turn.js'

let longest = watchTurns()

process.on('message', (ask) => {
  if (ask !== 'longest turn') return
  // Milliseconds of the processor: neighbours on the machine take none of them.
  process.send?.(longest())
  globalThis.gc?.()
  longest = watchTurns()
})
