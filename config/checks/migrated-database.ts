/** Writes the embedded database a new installation begins with to the file that is named: what the build runs. */
import { makeSnapshot } from '../../kernel/store/snapshot.js'

const log = { debug() {}, info() {}, warn() {}, error: console.error }

await makeSnapshot(process.argv[2] ?? '', log)
