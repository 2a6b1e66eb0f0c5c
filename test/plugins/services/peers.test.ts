/** Services of several processes at one address, linked as workers are (decision 0088). */
import t from 'tap'
import type { Format } from '../../../kernel/contract/format.js'
import type { Opened } from '../../../kernel/contract/line/record.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { createRun } from '../../../plugins/management/channel-tests/run.js'
import { pageOfAll } from '../../../plugins/services/metrics/workers.js'
import { createWindows } from '../../../plugins/services/rate-limits/windows.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { lineFormat, opened } from '../../kit/line-fakes.js'
import { heard, linkedPeers } from '../../kit/peers.js'
import { broken, channelWith, ward } from './health-kit.js'

const wardOf = (peers: Peers) => ward({}, undefined, peers)

t.test(
  'messages of one turn arrive together and in order, and never at who sent them',
  async (t) => {
    const { all } = linkedPeers(3)
    const seen = all.map(() => [] as string[])
    for (const [at, peers] of all.entries()) {
      peers.on('word', (word, from) => void seen[at]!.push(`${from} ${String(word)}`))
    }
    all[0]!.publish('word', 'a')
    all[0]!.publish('word', 'b')
    await heard()
    t.same(seen, [[], ['1 a', '1 b'], ['1 a', '1 b']])
  },
)

t.test('a question is answered by all others, and not waited for where one has gone', async (t) => {
  const link = linkedPeers(4)
  const [first, second, third, fourth] = link.all
  second!.respond('sum', (question) => Number(question) + 1)
  third!.respond('sum', async () => {
    throw new Error('it cannot')
  })
  fourth!.respond('sum', () => new Promise(() => {}))
  const asked = first!.ask('sum', 4)
  await heard()
  link.end(4, 'four')
  t.same(await asked, [{ from: 2, reply: 5 }])
  t.same(await first!.ask('nothing anybody knows'), [])
})

t.test('[LIMIT-3] a window is counted by all of them', async (t) => {
  const { all } = linkedPeers(3)
  const windows = all.map((peers) => createWindows(undefined, peers))
  const used: number[] = []
  for (let turn = 0; turn < 6; turn++) {
    used.push((await windows[turn % 3]!.count('api', 60, 'somebody')).used)
    await heard()
  }
  t.same(used, [1, 2, 3, 4, 5, 6])
  t.equal((await windows[0]!.count('api', 60, 'somebody', 0)).used, 6, 'a look counts nothing')
  await heard()
  t.equal((await windows[1]!.count('api', 60, 'somebody', 0)).used, 6)
})

t.test('with a Redis that answers nothing is told', async (t) => {
  const { all } = linkedPeers(2)
  const shared = { count: async () => ({ used: 9, msLeft: 1 }) } as never
  const told: unknown[] = []
  all[1]!.on('counted', (message) => void told.push(message))
  t.equal((await createWindows(shared, all[0]!).count('api', 60, 'somebody')).used, 9)
  await heard()
  t.same(told, [])
})

t.test('[ROUTE-3] a breaker opens and closes in all of them', async (t) => {
  const { all } = linkedPeers(2)
  const [here, there] = [wardOf(all[0]!), wardOf(all[1]!)]
  const channel = channelWith(7, 70)
  for (const { put } of [here, there]) put(channel)
  for (let turn = 0; turn < 5; turn++) here.round(channel, 70, 'm', broken)
  t.notOk(here.health.admits(7, 70, 'm'))
  t.ok(there.health.admits(7, 70, 'm'))
  await heard()
  t.notOk(there.health.admits(7, 70, 'm'), 'open')
  t.match(await there.health.breakersOfAll(), [{ channelId: 7, state: 'open', failures: 5 }])
  t.match(await here.health.breakersOfAll(), [{ channelId: 7, state: 'open', failures: 5 }])
  for (const { clock } of [here, there]) clock.advance(20_000)
  there.round(channel, 70, 'm')
  await heard()
  t.ok(here.health.admits(7, 70, 'm'), 'and closed')
  t.same(await here.health.breakersOfAll(), [])
})

t.test('latencies of a channel are the last of all of them', async (t) => {
  const { all } = linkedPeers(2)
  const [here, there] = [wardOf(all[0]!), wardOf(all[1]!)]
  const channel = channelWith(7, 70)
  const round = ({ health, clock }: typeof here, ms: number) => {
    const claim = health.claim(channel, 70, 'm')
    clock.advance(ms)
    claim.ended()
  }
  for (const { put } of [here, there]) put(channel)
  round(here, 5)
  here.clock.advance(100)
  round(there, 7)
  here.clock.advance(100)
  there.clock.advance(100)
  round(here, 9)
  t.same(await here.health.latenciesOfAll([7]), [[5, 7, 9]])
  t.same(await there.health.latenciesOfAll([7, 8]), [[5, 7, 9], []])
})

t.test('[FMT-9] a part of an answer is gathered from who gave it, for its own user', async (t) => {
  const { all } = linkedPeers(2)
  const clock = new FakeClock()
  const [here, there] = all.map((peers) => createAnswers(clock, peers))
  const references: Format['references'] = {
    wanted: () => true,
    parts: ({ id, ...part }) => [[String(id), part]],
    named: ({ ids }) => ids as readonly string[],
  }
  const format = { ...lineFormat, references }
  const state = opened({ format, body: { kind: 'json', value: {} } as Opened['body'] })
  here!.keep(state, { id: 'a', text: 'Hi' })
  const { id } = state.user
  await there!.gather(format, { ids: ['a', 'b'] }, id + 1)
  t.equal(there!.recall(id + 1, 'a'), undefined)
  await there!.gather(format, { ids: ['a', 'b'] }, id)
  t.same(there!.recall(id, 'a'), { text: 'Hi' })
  t.equal(there!.gather(format, { ids: ['a'] }, id), undefined, 'known by now')
  t.equal(createAnswers(clock).gather(format, { ids: ['z'] }, id), undefined, 'nobody to ask')
})

t.test('one run at a time, and its progress is the same everywhere', async (t) => {
  const { all } = linkedPeers(2)
  const clock = new FakeClock(1_000_000)
  const [here, there] = all.map((peers) =>
    createRun({ name: 'a run', clock, log: quietLog, peers }),
  )
  let end = () => {}
  const work = () => new Promise<undefined>((resolve) => (end = () => resolve(undefined)))
  await here!.start([{ id: 1, name: 'one' }], work)
  t.match(await there!.progress(), { running: true, total: 1, done: 0 })
  await t.rejects(there!.start([{ id: 1, name: 'one' }], work), { code: 'conflict' })
  end()
  await heard()
  for (const run of [here!, there!]) t.match(await run.progress(), { running: false, done: 1 })
})

t.test('of runs that begin at the same moment in several processes, one runs', async (t) => {
  for (const count of [2, 3]) {
    const { all } = linkedPeers(count)
    let begun = 0
    const runs = all.map((peers) =>
      createRun({ name: 'a run', clock: new FakeClock(1_000_000), log: quietLog, peers }),
    )
    const work = async () => {
      begun += 1
      return undefined
    }
    const starts = [...runs, ...runs].map((run) => run.start([{ id: 1, name: 'one' }], work))
    const results = await Promise.allSettled(starts)
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal(begun, 1)
    t.match(await runs.at(-1)!.progress(), { running: false, done: 1 })
    await runs.at(-1)!.start([{ id: 1, name: 'one' }], work)
    t.equal(begun, 2, 'and the next one may begin')
  }
})

t.test('a page of several processes has each sample once, and says what it is once', (t) => {
  const page = (count: number) =>
    `# HELP a All.\n# TYPE a counter\na ${count}\na{kind="x"} 1\n\n# HELP b More.\n# TYPE b gauge\nb 2\n`
  t.equal(
    pageOfAll([
      { from: 1, text: page(3) },
      { from: 2, text: page(4) },
    ]),
    [
      '# HELP a All.\n# TYPE a counter',
      'a{worker="1"} 3\na{worker="1",kind="x"} 1\na{worker="2"} 4\na{worker="2",kind="x"} 1',
      '# HELP b More.\n# TYPE b gauge\nb{worker="1"} 2\nb{worker="2"} 2\n',
    ].join('\n'),
  )
  t.end()
})
