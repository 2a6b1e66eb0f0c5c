/** Settings of the engine, made before any other module is loaded (decision 0091). */
import { setFlagsFromString } from 'node:v8'

// Objects of a request are young, even where many of their kind were once alive for long.
setFlagsFromString('--no-allocation-site-pretenuring')
