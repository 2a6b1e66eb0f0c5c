/** What becomes of workers, and of the process that started them, when one of them dies or they are told to stop (decision 0088). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { databaseKind } from '../kit/database.js'
import { management, root } from '../kit/management.js'
import { emptyInstallation, ledgerCheck, runProgram } from '../kit/process.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat, type Script, scriptedUpstream } from '../kit/upstream.js'
import { call, furnish } from './kit/furnish.js'
import {
  lives,
  noLimits,
  startWorkers,
  until,
  type Workers,
  withoutKeepAlive,
  workersAt,
  workersPlace,
} from './kit/workers.js'

t.setTimeout(240_000)

const skip = databaseKind === 'pglite' && 'the embedded database serves one process only'

withoutKeepAlive()

/** Streams ten words; `onWord` hears of each, and the next one comes once it has resolved. */
const talkative =
  (onWord: (count: number) => Promise<void> | void = () => {}): Script =>
  async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let word = 0; word < 10 && !response.destroyed; word++) {
      await new Promise((resolve) => response.write(chat.delta('word '), resolve))
      await onWord(word)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(chat.stop() + chat.usage(10, 10) + chat.done)
  }

const isWhole = (text: string) => text.endsWith('data: [DONE]\n\n')

async function openHolds({ rows }: Workers): Promise<number> {
  const [row] = await rows(
    "SELECT count(*)::integer AS open FROM billing_requests WHERE state = 'reserved'",
  )
  return Number(row?.open)
}

async function booksAddUp(t: Pick<Test, 'equal'>, gateway: Workers): Promise<void> {
  const [spent] = await gateway.rows('SELECT coalesce(sum(quota), 0)::bigint AS sum FROM usage_log')
  const admin = management(gateway.url)
  await admin.login(root.username, root.password)
  t.equal(await admin.balance(), 1_000_000_000n - BigInt(String(spent?.sum)))
  const check = await ledgerCheck(gateway.place)
  t.equal(check.code, 0, check.output)
}

t.test('[OPS-2] a worker that is killed in the middle of requests', { skip }, async (t) => {
  const gateway = await startWorkers(t, noLimits)
  const upstream = await scriptedUpstream(t)
  const { key } = await furnish(gateway.url, upstream)
  let free = () => {}
  const killed = new Promise<void>((resolve) => {
    free = resolve
  })
  let waiting = 0
  upstream.script(
    talkative(async (word) => {
      if (word !== 4) return
      waiting += 1
      await killed
    }),
  )
  const streams = Array.from({ length: 20 }, () =>
    call(gateway.url, key, ask({ stream: true, max_tokens: 50 })),
  )
  await until(() => waiting === 20)
  t.equal(await openHolds(gateway), 20)
  const [owned] = await gateway.rows(
    "SELECT count(*)::integer AS holds FROM billing_requests WHERE owner_instance = 'test-1'",
  )
  const living = Number(owned?.holds)
  t.ok(living > 0 && living < 20, `${living} of 20 in one of two`)
  const victim = gateway.pidOf(2)
  process.kill(victim, 'SIGKILL')
  const killedAt = performance.now()

  await t.test('its holds are closed by those who live', async (t) => {
    await until(async () => (await openHolds(gateway)) <= living)
    const ms = performance.now() - killedAt
    t.ok(ms < 5_000, `${Math.round(ms)} ms, of 30 s that others wait for a silent process`)
    t.equal(await openHolds(gateway), living, 'and nobody else’s')
    t.comment(`closed after ${Math.round(ms)} ms`)
  })

  await t.test('it is replaced at once, under its name', async (t) => {
    await until(() => gateway.pidOf(2) !== victim)
    const ended = gateway.lines().find(({ msg }) => /worker 2 ended unasked/.test(msg))
    t.match(ended, { worker: 'test-2', workerPid: victim, signal: 'SIGKILL', delayMs: 0 })
    const names = await gateway.rows('SELECT node_name FROM system_instances ORDER BY node_name')
    t.same(names, [{ node_name: 'test-1' }, { node_name: 'test-2' }])
    free()
    const results = await Promise.all(streams)
    t.equal(results.filter(isWhole).length, living, 'requests of the other one come to their end')
    upstream.script(talkative())
    const more = await Promise.all(
      Array.from({ length: 12 }, () => call(gateway.url, key, ask({ stream: true }))),
    )
    t.ok(more.every(isWhole), 'and both serve again')
  })

  await t.test('one that dies young again and again is waited for, longer each time', async (t) => {
    const delays = () =>
      gateway.lines().flatMap(({ msg, delayMs }) => (/ended unasked/.test(msg) ? [delayMs] : []))
    for (const wanted of [1_000, 2_000]) {
      const pid = gateway.pidOf(2)
      process.kill(pid, 'SIGKILL')
      await until(() => gateway.pidOf(2) !== pid)
      t.equal(delays().at(-1), wanted)
    }
  })

  await t.test('the books add up', async (t) => {
    await until(async () => (await openHolds(gateway)) === 0)
    await booksAddUp(t, gateway)
  })
})

t.test('[OPS-2] a lease of a worker that died does not outlive it', { skip }, async (t) => {
  const gateway = await startWorkers(t, noLimits)
  const holder = async () => {
    const [row] = await gateway.rows('SELECT holder FROM leases ORDER BY until DESC LIMIT 1')
    return String(row?.holder ?? '')
  }
  await until(async () => (await holder()) !== '')
  const [, number, pid] = /^test-(\d) (\d+) /.exec(await holder()) ?? []
  t.equal(Number(pid), gateway.pidOf(Number(number)))
  process.kill(Number(pid), 'SIGKILL')
  const left = async () =>
    (
      await gateway.rows('SELECT FROM leases WHERE starts_with(holder, $1)', [
        `test-${number} ${pid} `,
      ])
    ).length
  await until(async () => (await left()) === 0, 5_000)
  t.pass('the other one may take it')
})

t.test('SIGTERM under load finishes what runs and loses no charge (P9)', { skip }, async (t) => {
  const gateway = await startWorkers(t, noLimits)
  const upstream = await scriptedUpstream(t)
  const { key } = await furnish(gateway.url, upstream)
  let finished = 0
  let begun = 0
  upstream.script(
    talkative((word) => {
      if (word === 0) begun += 1
      if (word === 9) finished += 1
    }),
  )
  const calls = Array.from({ length: 30 }, () => call(gateway.url, key, ask({ stream: true })))
  await until(() => begun === 30)
  const { code, output } = await gateway.end('SIGTERM')
  t.equal(code, 0, output.slice(-2000))
  t.ok((await Promise.all(calls)).every(isWhole), 'every stream came to its end')
  const [spent] = await gateway.rows('SELECT sum(quota)::integer AS sum FROM usage_log')
  t.equal(spent?.sum, finished * 20)
  t.equal(await openHolds(gateway), 0)
  t.equal((await ledgerCheck(gateway.place)).code, 0)
})

/** The program as the leader of a process group, as a terminal starts it. */
async function inGroup(t: Pick<Test, 'teardown'>, place: Readonly<Record<string, string>>) {
  const program = fileURLToPath(new URL('../../config/start.js', import.meta.url))
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, ...place },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.teardown(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All of it is gone.
    }
  })
  let output = ''
  child.stdout.on('data', (piece: Buffer) => {
    output += piece
  })
  const ended = once(child, 'close')
  await until(() => /"ready":2/.test(output))
  const [, url = ''] = /is ready at (\S+)/.exec(output) ?? []
  const pids = [...output.matchAll(/"workerPid":(\d+)/g)].map(([, pid]) => Number(pid))
  return { child, ended, url, pids, output: () => output }
}

t.test('what a terminal sends to all counts once, and twice ends all', { skip }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const place = { ...(await workersPlace(t)), ...noLimits }
  const first = await workersAt(t, place)
  const { key } = await furnish(first.url, upstream)
  t.equal((await first.end('SIGINT')).code, 0)

  let waiting = 0
  let free = () => {}
  const hold = () =>
    upstream.script(
      talkative(async (word) => {
        if (word !== 4) return
        waiting += 1
        await new Promise<void>((resolve) => {
          const before = free
          free = () => {
            before()
            resolve()
          }
        })
      }),
    )
  hold()
  const gateway = await inGroup(t, place)
  const streams = Array.from({ length: 8 }, () => call(gateway.url, key, ask({ stream: true })))
  await until(() => waiting === 8)
  process.kill(-gateway.child.pid!, 'SIGINT')
  await until(() => gateway.output().split(/"msg":"(?:stopping;|this worker stops)/).length === 3)
  free()
  t.equal((await gateway.ended)[0], 0)
  t.ok((await Promise.all(streams)).every(isWhole), 'what ran came to its end')

  waiting = 0
  free = () => {}
  hold()
  const again = await inGroup(t, place)
  const cut = Array.from({ length: 4 }, () => call(again.url, key, ask({ stream: true })))
  await until(() => waiting === 4)
  process.kill(again.child.pid!, 'SIGTERM')
  await until(() => again.output().includes('stopping every worker'))
  process.kill(again.child.pid!, 'SIGTERM')
  t.equal((await again.ended)[0], 1)
  for (const pid of again.pids) await until(async () => !(await lives(pid)))
  free()
  t.notOk((await Promise.all(cut)).some(isWhole))
})

t.test('workers whose primary is killed end in order and leave no orphan', { skip }, async (t) => {
  const gateway = await startWorkers(t, noLimits)
  const upstream = await scriptedUpstream(t)
  const { key } = await furnish(gateway.url, upstream)
  let waiting = 0
  let free = () => {}
  const killed = new Promise<void>((resolve) => {
    free = resolve
  })
  upstream.script(
    talkative(async (word) => {
      if (word !== 4) return
      waiting += 1
      await killed
    }),
  )
  const streams = Array.from({ length: 8 }, () => call(gateway.url, key, ask({ stream: true })))
  await until(() => waiting === 8)
  const pids = [gateway.pidOf(1), gateway.pidOf(2)]
  process.kill(gateway.pid, 'SIGKILL')
  await until(async () => !(await lives(gateway.pid)))
  await until(async () => (await fetch(gateway.url).catch(() => undefined)) === undefined)
  free()
  t.ok((await Promise.all(streams)).every(isWhole), 'what ran came to its end')
  for (const pid of pids) await until(async () => !(await lives(pid)))
  t.equal(await openHolds(gateway), 0)
  t.same(await gateway.rows('SELECT FROM system_instances'), [], 'both took leave')
  t.equal((await ledgerCheck(gateway.place)).code, 0)
})

t.test(
  'long lines are whole, whoever writes meanwhile, and none is missing',
  { skip },
  async (t) => {
    const file = new URL('./kit/long-lines.js', import.meta.url).href
    const gateway = await startWorkers(t, noLimits, ['--import', file])
    const begins = '"msg":"the runtime warns: long'
    for (const number of [1, 2]) process.kill(gateway.pidOf(number), 'SIGUSR2')
    const nothing = new Int32Array(new SharedArrayBuffer(4))
    await until(() => {
      // A reader that is slow: what it leaves fills the pipe, and a write is taken in parts.
      Atomics.wait(nothing, 0, 0, 150)
      return gateway.output().split(begins).length > 240
    })
    const { code, output } = await gateway.end('SIGTERM')
    t.equal(code, 0)
    const lines = output.split('\n').filter((line) => line.includes('"'))
    const torn = lines.filter((line) => !isJson(line) && !/^ +(?:curl|-d) /.test(line))
    t.same(torn, [])
    const long = lines.filter((line) => line.includes(begins))
    t.ok(
      long.every(({ length }) => length > 4096),
      'each longer than a pipe takes in one piece',
    )
    for (const number of [1, 2]) {
      const own = long.filter((line) => JSON.parse(line).pid === gateway.pidOf(number))
      t.equal(own.length, 120)
    }
  },
)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

t.test('a program that cannot begin says why once, and ends with 1', async (t) => {
  const place = await emptyInstallation(t)
  const embedded = await runProgram([], { ...place, WORKERS: '2' })
  t.equal(embedded.code, 1)
  t.match(embedded.output, /WORKERS=2 .*DATABASE_URL/)
  for (const WORKERS of ['0', '65', '1.5', 'many']) {
    const { code, output } = await runProgram([], { ...place, WORKERS })
    t.equal(code, 1)
    t.match(output, `WORKERS takes a whole number from 1 to 64, or auto; "${WORKERS}" is not that.`)
  }
  const nobody = 'postgres://nobody:secret-of-the-database@127.0.0.1:1/none'
  const away = await runProgram([], { ...place, WORKERS: '2', DATABASE_URL: nobody })
  t.equal(away.code, 1)
  t.match(away.output, /^The database cannot be reached: [^\n]*\n$/, 'one sentence')
})

t.test('a port that is in use is one sentence too', { skip }, async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const { port } = server.address() as { readonly port: number }
  const { code, output } = await runProgram([], { ...(await workersPlace(t)), PORT: String(port) })
  t.equal(code, 1)
  t.equal(output.split('The port is in use already.').length, 2)
  t.notMatch(output, /^\s+at /m)
})

t.test('auto is one process where the embedded database is', async (t) => {
  const { startProcess } = await import('../kit/process.js')
  const gateway = await startProcess(t, { ...(await emptyInstallation(t)), WORKERS: 'auto' })
  t.notMatch(gateway.output(), 'Workers:')
  t.equal((await gateway.end('SIGTERM')).code, 0)
})
