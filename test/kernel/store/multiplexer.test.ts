/** Who gets the session when, reported frame by frame, with a session that answers as it is reported and a clock in hand. */
import t from 'tap'
import { Multiplexer } from '../../../kernel/store/lite/multiplexer.js'
import { message, query, sync, text } from '../../../kernel/store/lite/wire.js'
import { FakeClock } from '../../kit/clock.js'

const idleTransactionMs = 5000
const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])
const terminate = message(0x58, Buffer.alloc(0))
const flush = message(0x48, Buffer.alloc(0))
const parse = (name: string, sql: string) =>
  message(0x50, Buffer.concat([text(name), text(sql), Buffer.alloc(2)]))
const ready = (status: string) => message(0x5a, Buffer.from(status))

/** A session that keeps what it was queried and answers when reported. */
function stage() {
  const clock = new FakeClock()
  const requests: string[] = []
  const answers: ((answer: Buffer) => void)[] = []
  let broken: Error | undefined
  const multiplexer = new Multiplexer({
    execute: (batch) => {
      requests.push(readable(batch))
      return new Promise((resolve) => answers.push(resolve))
    },
    broke: (error) => {
      broken = error
    },
    clock,
    idleTransactionMs,
    parameters: { server_version: '18' },
  })
  return {
    clock,
    requests,
    broken: () => broken,
    /** Ends the batch that runs with this status, and lets the next one begin. */
    async answer(status: string, before: Buffer = Buffer.alloc(0)) {
      answers.shift()?.(Buffer.concat(status === '' ? [before] : [before, ready(status)]))
      await turns()
    },
    connect(priority = 0) {
      const texts: Buffer[] = []
      const state = { closed: false, texts }
      const transport = {
        send: (bytes: Buffer) => void texts.push(bytes),
        close: () => {
          state.closed = true
        },
      }
      const connection = multiplexer.attach(transport, priority)
      connection.receive(startup)
      texts.length = 0
      return { ...connection, state, ask: (sql: string) => connection.receive(query(sql)) }
    },
  }
}

async function turns(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await new Promise((done) => setImmediate(done))
}

/** The text in a batch: statements and names, without the frames around them. */
function readable(batch: Buffer): string {
  return batch
    .toString('latin1')
    .split(/[^ -~]+/)
    .filter((word) => word.length > 1)
    .join('|')
}

t.test('an owner keeps the session until its transaction is over', async (t) => {
  const { requests, answer, clock, connect } = stage()
  const [one, two] = [connect(), connect(10)]
  one.ask('BEGIN')
  two.ask('two')
  await answer('T')
  t.same(requests, ['BEGIN'])
  one.ask('COMMIT')
  await answer('I')
  t.same(requests, ['BEGIN', 'COMMIT', 'two'])
  await answer('I')
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('the idle limit spares a batch in flight and a message still arriving', async (t) => {
  const { requests, answer, clock, connect } = stage()
  const [one, two] = [connect(), connect()]
  one.ask('BEGIN')
  await answer('T')
  clock.advance(idleTransactionMs - 1)
  const long = query(`SELECT ${'x'.repeat(1000)}`)
  one.receive(long.subarray(0, 500))
  clock.advance(idleTransactionMs - 1)
  t.notOk(one.state.closed, 'bytes are arriving')
  one.receive(long.subarray(500))
  two.ask('two')
  clock.advance(idleTransactionMs * 3)
  t.notOk(one.state.closed, 'its batch runs')
  await answer('T')
  clock.advance(idleTransactionMs - 1)
  t.notOk(one.state.closed)
  clock.advance(1)
  t.ok(one.state.closed, 'now it is idle')
  t.match(one.state.texts.at(-1)?.toString(), /C25P03/)
  await turns()
  one.ask('too late')
  await answer('I')
  await answer('I')
  t.same(requests.slice(2), ['ROLLBACK', 'two'])
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('a connection lost while its batch runs is rolled back before anyone else', async (t) => {
  const { requests, answer, connect } = stage()
  const [one, two] = [connect(), connect()]
  one.ask('BEGIN')
  await answer('T')
  one.ask('INSERT')
  two.ask('two')
  one.lost()
  await answer('T')
  await answer('I')
  await answer('I')
  t.same(requests, ['BEGIN', 'INSERT', 'ROLLBACK', 'two'])
})

t.test('what was queried before a goodbye is done, what comes after is not', async (t) => {
  const { requests, answer, connect } = stage()
  const [one, two] = [connect(), connect()]
  two.ask('two')
  one.receive(Buffer.concat([query('BEGIN'), query('one'), terminate, query('never')]))
  one.lost()
  await answer('I')
  await answer('T')
  await answer('T')
  await answer('I')
  t.same(requests, ['two', 'BEGIN', 'one', 'ROLLBACK'])
  t.ok(one.state.closed)
})

t.test(
  'a pipeline without its Sync keeps the session, and is ended when its connection is lost',
  async (t) => {
    const { requests, answer, connect } = stage()
    const [one, two] = [connect(), connect()]
    one.receive(Buffer.concat([parse('', 'SELECT 1'), flush]))
    two.ask('two')
    await answer('')
    t.same(requests, ['SELECT 1'])
    one.lost()
    await answer('I', ready('I'))
    t.same(requests, ['SELECT 1', 'ROLLBACK', 'two'])
    await answer('I')
  },
)

t.test('turns are taken inside one priority', async (t) => {
  const { requests, answer, connect } = stage()
  const [one, two, high] = [connect(), connect(), connect(10)]
  one.receive(Buffer.concat(['one 1', 'one 2', 'one 3'].map(query)))
  two.receive(Buffer.concat(['two 1', 'two 2'].map(query)))
  for (const _ of [1, 2]) await answer('I')
  high.ask('high')
  for (const _ of [1, 2, 3, 4]) await answer('I')
  t.same(requests, ['one 1', 'two 1', 'one 2', 'high', 'two 2', 'one 3'])
})

t.test('statement names carry the mark of their connection and go with it', async (t) => {
  const { requests, answer, connect } = stage()
  const one = connect()
  one.receive(Buffer.concat([parse('apply', 'SELECT 1'), sync]))
  await answer('I')
  one.lost()
  await answer('I')
  t.same(requests, ['1.apply|SELECT 1', 'S1.apply'])
})

t.test('bytes cut anywhere make the same batches', async (t) => {
  const bytes = Buffer.concat([
    query('first'),
    parse('', 'second'),
    sync,
    parse('name', 'third'),
    sync,
  ])
  const wrong: string[] = []
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const { requests, answer, connect } = stage()
    const one = connect()
    one.receive(bytes.subarray(0, cut))
    one.receive(bytes.subarray(cut))
    for (const _ of [1, 2, 3]) await answer('I')
    if (requests.join() !== 'first,second,1.name|third')
      wrong.push(`cut at ${cut}: ${requests.join()}`)
  }
  t.same(wrong, [])
})

t.test('a session that stops in the middle of an answer is broken', async (t) => {
  const { answer, connect, broken, requests } = stage()
  const [one, two] = [connect(), connect()]
  one.ask('SELECT f()')
  two.ask('two')
  await answer('', Buffer.from('T'))
  t.match(broken()?.message, /broke off/)
  t.same(requests, ['SELECT f()'])
})
