/** How far long work over channels has come, as it is told while it goes on. */
import t from 'tap'
import { createRun, type Progress } from '../../../plugins/management/channel-tests/run.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

t.test('a run tells its beginning, its end, and four times a second how far it is', async (t) => {
  const clock = new FakeClock()
  const heard: Progress[] = []
  await new Promise<void>((resolve) => {
    const told = (progress: Progress) => {
      heard.push(progress)
      if (!progress.running) resolve()
    }
    const run = createRun<number>({ name: 'a test', clock, log: quietLog, told })
    const items = Array.from({ length: 100 }, (_, at) => at)
    run.start(items, async (item) => {
      clock.advance(10)
      return item !== 7
    })
  })
  t.match(heard[0], { done: 0, total: 100, running: true })
  t.match(heard.at(-1), { done: 100, total: 100, failed: 1, running: false })
  t.ok(heard.length >= 4 && heard.length <= 6, `${heard.length} times in a second`)
})
