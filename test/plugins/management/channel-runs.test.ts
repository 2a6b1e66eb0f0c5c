/** How far long work over channels has come, as it is reported while it goes on. */

import t from 'tap'
import { noPeers } from '../../../kernel/peers.js'
import {
  type Counts,
  createRun,
  type Named,
  type Progress,
  type Work,
} from '../../../plugins/management/channel-tests/run.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

/** A run over so many, to its end, and what was reported of it meanwhile. */
async function ran(count: number, work: Work<Named>, clock = new FakeClock()) {
  const heard: Counts[] = []
  const items = Array.from({ length: count }, (_, id) => ({ id, name: `Channel ${id}` }))
  return new Promise<{ readonly heard: readonly Counts[]; readonly progress: Progress }>(
    (resolve) => {
      const readResult = (counts: Counts) => {
        heard.push(counts)
        if (!counts.running) void run.progress().then((progress) => resolve({ heard, progress }))
      }
      const run = createRun<Named>({
        ...{ name: 'a test', clock, log: quietLog, peers: noPeers },
        onProgress: readResult,
      })
      void run.start(items, work)
    },
  )
}

t.test('a run tells its beginning, its end, and four times a second how far it is', async (t) => {
  const clock = new FakeClock()
  const work: Work<Named> = async ({ id }) => {
    clock.advance(10)
    return id === 7 ? 'No credit.' : undefined
  }
  const { heard } = await ran(100, work, clock)
  t.match(heard[0], { done: 0, total: 100, running: true })
  t.match(heard.at(-1), { done: 100, total: 100, failed: 1, running: false })
  t.ok(heard.length >= 4 && heard.length <= 6, `${heard.length} times in a second`)
  t.notOk(
    heard.some((counts) => 'failures' in counts),
    'counts alone, the reasons are for who asks',
  )
})

t.test('who asks is informed which channels failed and why, of very many the first', async (t) => {
  const one = await ran(3, async ({ id }) => (id === 1 ? `No credit${'!'.repeat(900)}` : undefined))
  t.match(one.progress, { failed: 1, failures: [{ id: 1, name: 'Channel 1', message: /^No cr/ }] })
  t.equal(one.progress.failures[0]?.message.length, 300)
  const thrown = await ran(1, async () => Promise.reject(new Error('a secret of the code')))
  t.notMatch(thrown.progress.failures[0]?.message, /secret/)
  const all = await ran(150, async () => 'Down.')
  t.equal(all.progress.failed, 150)
  t.equal(all.progress.failures.length, 100)
})
