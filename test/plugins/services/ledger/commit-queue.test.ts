/**
 * The queue of billing operations against a database that answers, refuses, fails or fences on
 * command.
 */
import t from 'tap'
import type { Applied, Operation } from '../../../../plugins/services/ledger/batch.js'
import {
  CommitQueue,
  type PendingOperation,
} from '../../../../plugins/services/ledger/commit-queue.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog } from '../../../kit/database.js'
import { coded, until } from './faulty.js'

t.test(
  'what arrives in one turn goes in one batch, at most 64, on as many lanes as are free',
  async (t) => {
    const { lane, batches, answer } = bench({ lanes: 2 })
    const results = Array.from({ length: 200 }, (_, at) => run(lane, 'reserve', `r${at}`))
    await until(() => batches.length === 2)
    t.strictSame(sizes(batches), [64, 64])
    answer()
    await until(() => batches.length === 2)
    answer()
    await until(() => batches.length === 2)
    t.strictSame(sizes(batches), [64, 8], 'a lane that is free again takes what waits')
    answer()
    answer()
    t.equal((await Promise.all(results)).length, 200)
  },
)

t.test('two operations of one request never share a batch', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  const results = ['a', 'b', 'a', 'a'].map((id) => run(lane, 'close', id))
  for (const expected of [['a', 'b'], ['a'], ['a']]) {
    await until(() => batches.length === 1)
    t.strictSame(ids(batches), [expected])
    answer()
  }
  await Promise.all(results)
})

t.test('marks ride along, wait for nobody and are left out once dropped', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  const marks = Array.from({ length: 100 }, (_, at) => ticket('mark', `m${at}`))
  for (const mark of marks) lane.push(mark)
  for (const mark of marks.slice(20)) mark.dropped = true
  const results = Array.from({ length: 100 }, (_, at) => run(lane, 'reserve', `r${at}`))
  await until(() => batches.length === 1)
  t.equal(batches[0]?.requests.filter(({ kind }) => kind === 'mark').length, 16)
  answer()
  await until(() => batches.length === 1)
  t.equal(batches[0]?.requests.filter(({ kind }) => kind === 'mark').length, 4)
  answer()
  await until(() => batches.length === 1)
  answer()
  await Promise.all(results)
  await lane.flushed()
})

t.test('those refused for their neighbours come again, each alone', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  const results = ['a', 'b'].map((id) => run(lane, 'reserve', id))
  await until(() => batches.length === 1)
  answer('again')
  await until(() => batches.length === 1)
  t.strictSame(ids(batches), [['a']])
  answer('ok')
  await until(() => batches.length === 1)
  answer('short')
  t.strictSame(await Promise.all(results), ['ok', 'short'])
})

t.test('a batch that fails for one of its own is repeated item by item', async (t) => {
  const { lane, batches, answer, refuse } = bench({ lanes: 1 })
  const [good, poison] = [run(lane, 'reserve', 'good'), run(lane, 'reserve', 'poison')]
  await until(() => batches.length === 1)
  refuse(coded('value out of range', '22003'))
  await until(() => batches.length === 1)
  answer()
  await until(() => batches.length === 1)
  refuse(coded('value out of range', '22003'))
  t.equal(await good, 'ok')
  await t.rejects(poison, { code: '22003' })
})

t.test('an answer nobody understands fails its own operation and no other', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  const odd = new Promise((_, reject) => {
    lane.push({
      ...ticket('reserve', 'odd'),
      done: () => {
        throw new Error('no such word')
      },
      fail: reject,
    })
  })
  const next = run(lane, 'reserve', 'next')
  await until(() => batches.length === 1)
  answer()
  await t.rejects(odd, { message: 'no such word' })
  t.equal(await next, 'ok')
})

t.test('a close whose facts cannot be stored goes through without them', async (t) => {
  const { lane, batches, answer, refuse } = bench({ lanes: 1 })
  const payload = '{"outcome":"complete","delivered":true,"usage":{"input":1},"detail":{"odd":1}}'
  const close = run(lane, 'close', 'a', payload)
  await until(() => batches.length === 1)
  refuse(coded('unsupported Unicode escape sequence', '22P05'))
  await until(() => batches.length === 1)
  t.strictSame(JSON.parse(batches[0]?.requests[0]?.payload ?? ''), {
    outcome: 'complete',
    delivered: true,
    detail: { unstorable: true },
  })
  answer('closed')
  t.equal(await close, 'closed')
})

t.test('a close is given up only for a proven fault of its own', async (t) => {
  for (const code of ['22003', '23514']) {
    const { lane, batches, refuse } = bench({ lanes: 1 })
    const close = run(lane, 'close', 'a', '{"detail":{}}')
    for (const facts of ['whole', 'bare']) {
      await until(() => batches.length === 1)
      t.equal(batches[0]?.requests.length, 1, facts)
      refuse(coded('refused', code))
    }
    await t.rejects(close, { code })
  }
})

const passing = [
  ...[
    '25006',
    '55000',
    '53100',
    '53200',
    '53400',
    '28000',
    '28P01',
    '3D000',
    '42501',
    '58030',
    '58P01',
  ],
  ...['57014', 'XX000', 'XX002', '42P01', '55P03', '99ZZ9', ''],
]
for (const code of passing) {
  const error = () => (code ? coded('not now', code) : new TypeError('x is not a function'))
  t.test(
    `${code || 'an error of the driver'} keeps a close waiting until it passes (P2)`,
    async (t) => {
      const { lane, batches, answer, refuse, clock } = bench({ lanes: 1 })
      const close = run(lane, 'close', 'c')
      for (let attempt = 0; attempt < 20; attempt++) {
        while (batches.length === 0) await moved(clock, 1_000)
        t.strictSame(ids(batches), [['c']])
        refuse(error())
        await moved(clock, 0)
      }
      while (batches.length === 0) await moved(clock, 1_000)
      answer('closed')
      t.equal(await close, 'closed')
    },
  )
  t.test(`${code || 'an error of the driver'} refuses a reserve as what it is: 503`, async (t) => {
    const { lane, batches, refuse } = bench({ lanes: 1 })
    const reserve = run(lane, 'reserve', 'r')
    await until(() => batches.length === 1)
    refuse(error())
    await t.rejects(reserve, { code: 'database_unavailable', status: 503 })
  })
}

t.test('a close that alone fails waits alone, and its neighbours pass', async (t) => {
  const { lane, batches, answer, refuse, clock } = bench({ lanes: 1 })
  const odd = run(lane, 'close', 'odd')
  const near = ['a', 'b'].map((id) => run(lane, 'close', id))
  const reserve = run(lane, 'reserve', 'r')
  await until(() => batches.length === 1)
  refuse(coded('corrupted', 'XX001'))
  for (const id of ['odd', 'a', 'b', 'r']) {
    await until(() => batches.length === 1)
    t.strictSame(ids(batches), [[id]])
    if (id === 'odd') refuse(coded('corrupted', 'XX001'))
    else answer(id === 'r' ? 'ok' : 'closed')
  }
  t.strictSame(await Promise.all(near), ['closed', 'closed'])
  t.equal(await reserve, 'ok', 'nobody was refused for it')
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt++) {
    const before = clock.now()
    while (batches.length === 0) await moved(clock, 100)
    waits.push(clock.now() - before)
    t.strictSame(ids(batches), [['odd']])
    refuse(coded('corrupted', 'XX001'))
    const other = run(lane, 'reserve', `r${attempt}`)
    await until(() => batches.length === 1)
    answer('ok')
    t.equal(await other, 'ok')
  }
  t.strictSame(waits, [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
  while (batches.length === 0) await moved(clock, 100)
  answer('closed')
  t.equal(await odd, 'closed')
})

t.test('where nothing passes for a reason nobody knows, nothing is admitted', async (t) => {
  const { lane, batches, refuse, answer, clock } = bench({ lanes: 1 })
  const closes = ['a', 'b', 'c', 'd'].map((id) => run(lane, 'close', id))
  const reserve = run(lane, 'reserve', 'r')
  for (let sent = 0; sent < 4; sent++) {
    await until(() => batches.length === 1)
    refuse(coded('broken', 'XX000'))
  }
  await t.rejects(reserve, { code: 'database_unavailable' })
  await t.rejects(run(lane, 'reserve', 'r2'), { code: 'database_unavailable' })
  let closed = 0
  for (const close of closes) void close.then(() => (closed += 1))
  while (closed < 4) {
    if (batches.length > 0) answer('closed')
    else await moved(clock, 100)
  }
  t.equal(closed, 4)
})

t.test('a close that ends every connection it is sent on keeps no other waiting', async (t) => {
  const { lane, batches, refuse, answer, clock } = bench({ lanes: 1 })
  run(lane, 'close', 'poison')
  const good = run(lane, 'close', 'good')
  let charge = ''
  void good.then((verdict) => {
    charge = verdict
  })
  for (let turn = 0; turn < 200 && charge === ''; turn++) {
    if (batches.length === 0) await moved(clock, 2_000)
    else if (ids(batches)[0]?.includes('poison')) refuse(coded('lost', 'ECONNRESET'))
    else answer('closed')
    await moved(clock, 0)
  }
  t.equal(charge, 'closed')
})

for (const code of ['40P01', '40001', 'ECONNRESET']) {
  t.test(`${code} repeats the same call, at most 5 times`, async (t) => {
    const { lane, batches, answer, refuse, clock } = bench({ lanes: 1 })
    const results = ['a', 'b'].map((id) => run(lane, 'reserve', id))
    for (let attempt = 0; attempt < 5; attempt++) {
      await until(() => batches.length === 1)
      t.strictSame(ids(batches), [['a', 'b']])
      refuse(coded('once more', code))
      await until(() => clock.pending === 1)
      clock.advance(1_000)
    }
    await until(() => batches.length === 1)
    answer()
    t.strictSame(await Promise.all(results), ['ok', 'ok'])
    const hopeless = run(lane, 'reserve', 'c')
    for (let attempt = 0; attempt < 6; attempt++) {
      await until(() => batches.length === 1)
      refuse(coded('once more', code))
      await until(() => clock.pending === 1)
      clock.advance(1_000)
    }
    await t.rejects(hopeless, { code: 'database_unavailable' })
  })
}

t.test(
  'an unreachable database refuses whoever waits to be admitted; closes come again (P2)',
  async (t) => {
    const { lane, batches, answer, refuse, clock } = bench({ lanes: 1 })
    const first = run(lane, 'reserve', 'r0')
    await until(() => batches.length === 1)
    const close = run(lane, 'close', 'c')
    const waiting = [run(lane, 'reserve', 'r1'), run(lane, 'mark', 'm')]
    refuse(coded('connect ECONNREFUSED', 'ECONNREFUSED'))
    for (const refused of [first, ...waiting, run(lane, 'reserve', 'r2')]) {
      await t.rejects(refused, { code: 'database_unavailable' })
    }
    const pauses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const before = clock.now()
      while (batches.length === 0) {
        clock.advance(50)
        await new Promise((resolve) => setImmediate(resolve))
      }
      pauses.push(clock.now() - before)
      t.strictSame(ids(batches), [['c']])
      if (attempt < 6) refuse(coded('connect ECONNREFUSED', 'ECONNREFUSED'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.strictSame(pauses, [100, 200, 400, 800, 1_600, 2_000, 2_000])
    answer('closed')
    t.equal(await close, 'closed')
    const next = run(lane, 'reserve', 'r3')
    await until(() => batches.length === 1)
    answer()
    t.equal(await next, 'ok', 'admission is open again')
  },
)

t.test('a full queue admits nobody and still takes closes (P2)', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  const held = Array.from({ length: 20_100 }, (_, at) => run(lane, 'close', `c${at}`))
  await t.rejects(run(lane, 'reserve', 'r'), { code: 'database_unavailable' })
  const late = run(lane, 'close', 'late')
  for (let sent = 0; sent < 20_101; ) {
    await until(() => batches.length === 1)
    sent += batches[0]?.requests.length ?? 0
    answer('closed')
  }
  t.equal((await Promise.all(held)).length, 20_100)
  t.equal(await late, 'closed')
})

t.test('a fenced process is renewed once and goes on, or refuses', async (t) => {
  let alive = true
  let renewals = 0
  const { lane, batches, answer } = bench({
    lanes: 1,
    renew: async () => {
      renewals += 1
      return alive
    },
  })
  const first = run(lane, 'reserve', 'a')
  await until(() => batches.length === 1)
  answer('fenced')
  await until(() => batches.length === 1)
  answer('ok')
  t.equal(await first, 'ok')
  alive = false
  const second = run(lane, 'reserve', 'b')
  await until(() => batches.length === 1)
  answer('fenced')
  await t.rejects(second, { code: 'database_unavailable' })
  t.equal(renewals, 2)
})

t.test('flushed waits for what was handed in before it, not for what comes after', async (t) => {
  const { lane, batches, answer } = bench({ lanes: 1 })
  await lane.flushed()
  const before = run(lane, 'close', 'before')
  let flushed = false
  const done = lane.flushed().then(() => {
    flushed = true
  })
  await until(() => batches.length === 1)
  const after = run(lane, 'close', 'after')
  t.equal(flushed, false)
  answer('closed')
  await Promise.all([before, done])
  await until(() => batches.length === 1)
  answer('closed')
  await after
  await lane.flushed()
})

/** Time passes, and what comes of it happens. */
async function moved(clock: FakeClock, ms: number): Promise<undefined> {
  clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
}

interface Sent {
  readonly requests: readonly Operation[]
  readonly resolve: (applied: readonly Applied[]) => void
  readonly reject: (error: unknown) => void
}

/** A lane whose batches are answered by hand, oldest first. */
function bench({ lanes, renew }: { lanes: number; renew?: () => Promise<boolean> }) {
  const batches: Sent[] = []
  const clock = new FakeClock()
  const lane = new CommitQueue({
    apply: (requests) =>
      new Promise((resolve, reject) => batches.push({ requests, resolve, reject })),
    batchesMax: lanes,
    clock,
    log: silentLog,
    renew: renew ?? (async () => true),
  })
  return {
    lane,
    clock,
    batches,
    answer(verdict: Applied['verdict'] = 'ok') {
      const sent = batches.shift()
      sent?.resolve(sent.requests.map(() => ({ verdict })))
    },
    refuse(error: unknown) {
      batches.shift()?.reject(error)
    },
  }
}

function sizes(batches: readonly Sent[]): readonly number[] {
  return batches.map(({ requests }) => requests.length)
}

function ids(batches: readonly Sent[]): readonly (readonly string[])[] {
  return batches.map(({ requests }) => requests.map(({ requestId }) => requestId))
}

function run(
  lane: CommitQueue,
  kind: PendingOperation['kind'],
  id: string,
  payload = '{}',
): Promise<string> {
  const answered = new Promise<string>((resolve, reject) => {
    lane.push({
      ...ticket(kind, id, payload),
      done: ({ verdict }) => resolve(verdict),
      fail: reject,
    })
  })
  // Some are looked at only after they were refused.
  answered.catch(() => undefined)
  return answered
}

function ticket(
  kind: PendingOperation['kind'],
  requestId: string,
  payload = 'null',
): PendingOperation {
  return {
    kind,
    requestId,
    userId: 1,
    accountId: 1,
    tokenId: undefined,
    revision: 1,
    amount: 0n,
    payload,
    done: () => undefined,
    fail: () => undefined,
    dropped: false,
    sent: false,
    attempts: 0,
    alone: false,
    generation: undefined,
  }
}
