/**
 * Tap's root test: runs each file it is given as a process of its own. `tap run` would do the same with loaders for mocks
 * and coverage, which nothing here uses and which make every process start a second later.
 */
import { availableParallelism } from 'node:os'
import t from 'tap'

const secondsMax = 120

t.setTimeout(0)
// Every file waits now and then; meanwhile another takes its core.
t.jobs = availableParallelism() + 1
for (const name of process.argv.slice(2)) {
  // Tap hands its loader down in NODE_OPTIONS; what the caller set stands.
  const own = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, `TAP_TIMEOUT=${secondsMax}`]
  t.spawn('env', [...own, process.execPath, '--enable-source-maps', name], {
    name,
    externalID: name,
    buffered: true,
    timeout: secondsMax * 1000,
    at: null,
    stack: '',
  })
}
