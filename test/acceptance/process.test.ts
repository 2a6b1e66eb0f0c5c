/** What only real processes show: death under load, an orderly stop, a second process, a wrong environment. */
import t from 'tap'
import { type Management, management } from '../kit/management.js'
import {
  emptyInstallation,
  installation,
  ledgerCheck,
  runProgram,
  startProcess,
  type Variables,
} from '../kit/process.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat, type Script, scriptedUpstream } from '../kit/upstream.js'
import { call, furnish } from './kit/furnish.js'

/** Streams ten words; `onWord` hears of each, so that a test can act in the middle of it. */
const talkative =
  (onWord: (count: number) => void): Script =>
  async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let word = 0; word < 10 && !response.destroyed; word++) {
      await new Promise((resolve) => response.write(chat.delta('word '), resolve))
      onWord(word)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(chat.stop() + chat.usage(10, 10) + chat.done)
  }

async function openHolds(admin: Management): Promise<{ balance: number; spent: number }> {
  const self = await admin.must('GET', '/api/user/self')
  const { items } = await admin.must('GET', '/api/log/?type=2&page_size=100')
  const spent = (items as { quota: number }[]).reduce((sum, { quota }) => sum + quota, 0)
  return { balance: self.quota, spent }
}

t.test('a gateway killed under load leaves no hold and no gap in the books (M8)', async (t) => {
  const place = await installation(t)
  const upstream = await scriptedUpstream(t)
  const first = await startProcess(t, place)
  const { key } = await furnish(first.url, upstream)

  let words = 0
  const enough = new Promise<void>((resolve) => {
    upstream.script(
      talkative(() => {
        words += 1
        if (words === 300) resolve()
      }),
    )
  })
  const calls = Array.from({ length: 40 }, async (_, index) => {
    for (let turn = 0; turn < 3; turn++)
      await call(first.url, key, ask({ stream: index % 2 === 0, max_tokens: 50 }))
  })
  await enough
  await first.end('SIGKILL')
  await Promise.all(calls)

  const second = await startProcess(t, place)
  const admin = management(second.url)
  await admin.login('root', 'correct horse battery')
  const { balance, spent } = await openHolds(admin)
  t.equal(
    balance,
    1_000_000_000 - spent,
    'nothing is held any more, and what is gone stands in the log',
  )
  await second.end('SIGTERM')
  const check = await ledgerCheck(place)
  t.equal(check.code, 0, check.output)
  t.match(check.output, 'all invariants hold')
})

t.test('SIGTERM under load finishes what runs and loses no charge (P9)', async (t) => {
  const place = await installation(t)
  const upstream = await scriptedUpstream(t)
  const first = await startProcess(t, place)
  const { key } = await furnish(first.url, upstream)
  let finished = 0
  let started: () => void = () => {}
  const underWay = new Promise<void>((resolve) => {
    started = resolve
  })
  const speak = talkative((word) => {
    if (word === 9) finished += 1
  })
  upstream.script((request, response) => {
    if (upstream.requests.length === 20) started()
    return speak(request, response)
  })
  const calls = Array.from({ length: 20 }, () => call(first.url, key, ask({ stream: true })))
  await underWay
  const { code, output } = await first.end('SIGTERM')
  const answers = await Promise.all(calls)
  t.equal(code, 0, output.slice(-2000))
  t.ok(
    answers.every((text) => text.endsWith('data: [DONE]\n\n')),
    'every stream came to its end',
  )

  const second = await startProcess(t, place)
  const admin = management(second.url)
  await admin.login('root', 'correct horse battery')
  const { balance, spent } = await openHolds(admin)
  t.equal(spent, finished * 20, 'ten in and ten out for every answer')
  t.equal(balance, 1_000_000_000 - spent)
  await second.end('SIGTERM')
  t.equal((await ledgerCheck(place)).code, 0)
})

t.test('a second process on the same data directory refuses in a sentence (P6)', async (t) => {
  const place = await installation(t)
  if (place.DATABASE_URL !== undefined) return t.pass('PostgreSQL takes several processes')
  await startProcess(t, place)
  const began = performance.now()
  const { code, output } = await runProgram([], place)
  t.equal(code, 1)
  t.match(output, /[Aa]nother process/)
  t.notMatch(output, /^\s+at /m, 'a sentence, not a stack')
  t.ok(performance.now() - began < 10_000)
})

t.test(
  '[AUTH-11] a trusted range that is the whole address space, or no range at all, stops the process',
  async (t) => {
    for (const value of [
      '0.0.0.0/0',
      '::/0',
      '0.0.0.0/1,128.0.0.0/1',
      '10.0.0.300',
      'proxy.example',
    ]) {
      const { code, output } = await runProgram([], {
        ...(await emptyInstallation(t)),
        TRUSTED_PROXIES: value,
      })
      t.equal(code, 1, value)
      t.match(output, /TRUSTED_PROXIES/)
      t.notMatch(output, 'is ready')
      t.notMatch(output, /^\s+at /m)
    }
  },
)

t.test('an invalid variable stops the process with a sentence that names it', async (t) => {
  const table: Variables[] = [
    { PORT: 'http' },
    { STREAMING_TIMEOUT: '-1' },
    { SQL_DSN: 'mysql://root@localhost/db' },
    { MAX_REQUEST_BODY_MB: 'big' },
  ]
  for (const wrong of table) {
    const { code, output } = await runProgram([], { ...(await emptyInstallation(t)), ...wrong })
    t.equal(code, 1)
    t.match(output, Object.keys(wrong)[0]!)
    t.notMatch(output, /^\s+at /m)
  }
})

t.test('--help lists every variable', async (t) => {
  const { code, output } = await runProgram(['--help'], {})
  t.equal(code, 0)
  for (const name of [
    'PORT',
    'HOST',
    'DATA_DIR',
    'DATABASE_URL',
    'CRYPTO_SECRET',
    'TRUSTED_PROXIES',
    'COOKIE_SECURE',
    'ALLOW_PRIVATE_UPSTREAMS',
    'SQL_DSN',
    'MAX_REQUEST_BODY_MB',
    'STREAMING_TIMEOUT',
    'RELAY_TIMEOUT',
    'NODE_NAME',
    'TZ',
  ]) {
    t.match(output, name)
  }
})
