/**
 * Tap's root test: runs the files it is given in processes of their own, several a process. `tap run` would do the same
 * with loaders for mocks and coverage, which nothing here uses and which make every process start a second later.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { groupsOf } from './groups.mjs'

// A file takes a minute at most; a machine with other work takes longer.
const secondsMax = 480
const root = fileURLToPath(new URL('..', import.meta.url))
const several = fileURLToPath(new URL('several.mjs', import.meta.url))
// The embedded database is a large program: to optimise it takes longer than any test makes use of it.
const liteFlags = process.env.DATABASE_URL ? [] : ['--liftoff-only']

t.setTimeout(0)
// Every file waits now and then; meanwhile another takes its core.
t.jobs = availableParallelism() + 1
for (const group of groupsOf(process.argv.slice(2), root)) {
  const seconds = secondsMax * group.length
  const name = group.length === 1 ? group[0] : `${group[0]} and ${group.length - 1} more`
  // Tap hands its loader down in NODE_OPTIONS; what the caller set stands.
  const own = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, `TAP_TIMEOUT=${seconds}`]
  const program = group.length === 1 ? group : [...liteFlags, several, String(secondsMax), ...group]
  t.spawn('env', [...own, process.execPath, '--enable-source-maps', ...program], {
    name,
    externalID: name,
    buffered: true,
    timeout: seconds * 1000,
    at: null,
    stack: '',
  })
}
