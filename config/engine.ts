/** Settings of the engine, made before any other module is loaded (decision 0091). */
import { setFlagsFromString } from 'node:v8'

// Objects of a request are young, even where many of their kind were once alive for long.
setFlagsFromString('--no-allocation-site-pretenuring')
// Few of them outlive a collection: to share it among threads costs more than it saves.
setFlagsFromString('--no-parallel-scavenge')
