/**
 * `npm run bench -- --channels`: what ten thousand channels cost: a start with them, its memory, how long a batch of a thousand stalls
 * everybody else, and how soon an edit is routed by. Each serves 130 models in 2 groups, which are 2.6 million memberships: first
 * of ten lists of models in all, then each of a list of its own.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../kit/free-port.js'
import { knowSetupCode, type Management, management, root, setupCodeIn } from '../kit/management.js'
import { administer } from './administer.js'
import { freshDatabase } from './gateways.js'
import type { LoopDelay } from './loop-delay.js'
import { ask, cpuMs, residentMb, stopped } from './targets.js'

const program = fileURLToPath(new URL('../../config/start.js', import.meta.url))
const batches = 10
const channelsInBatch = 1000
const modelsOfChannel = 130
const goals =
  'goals: start 5000 ms, 300 MB, stall 20 ms, edit 20 ms and the 100 ms that changes are gathered'

interface Running {
  readonly child: ChildProcess
  readonly origin: string
  readonly startMs: number
  readonly output: () => string
}

export async function runChannels(): Promise<void> {
  const database = await freshDatabase()
  if (database === undefined) throw new Error('This needs a PostgreSQL: set DATABASE_URL.')
  const folder = mkdtempSync(join(tmpdir(), 'waybill-channels-'))
  const open = () => started(database.url, folder)
  console.log(`Node.js ${process.version}; ${goals}\n`)
  try {
    let here = await open()
    await describe('no channels', here)
    const admin = await signedIn(here)
    for (let batch = 0; batch < batches; batch++) await addBatch(here, admin, batch)
    await stopped(here.child, 'SIGTERM')
    here = await open()
    await describe('ten lists', here)
    await measureEdit(here, await signedIn(here))
    await stopped(here.child, 'SIGTERM')
    const apart = `UPDATE channels SET models = models || ARRAY['own-' || id]`
    await administer(database.url, apart)
    here = await open()
    await describe('own lists', here)
    await measureEdit(here, await signedIn(here))
    await stopped(here.child, 'SIGTERM')
  } finally {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function started(databaseUrl: string, folder: string): Promise<Running> {
  const port = await freePort()
  const logFile = join(folder, `log-${port}`)
  const began = performance.now()
  const child = fork(program, [], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: undefined, DATA_DIR: folder },
      ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'info' },
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      CRITICAL_RATE_LIMIT_ENABLE: 'false',
    },
    // As `npm start` does.
    execArgv: [
      '--max-semi-space-size=16',
      '--import',
      new URL('./loop-delay.js', import.meta.url).href,
    ],
    stdio: ['ignore', openSync(logFile, 'w'), 'inherit', 'ipc'],
  })
  const origin = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'))
    await pause(10)
  }
  const startMs = performance.now() - began
  return { child, origin, startMs, output: () => readFileSync(logFile, 'utf8') }
}

async function describe(what: string, { child, startMs }: Running): Promise<void> {
  const cpu = cpuMs(child.pid!)
  const { max } = await ask<LoopDelay>(child, 'loop delay')
  await pause(1000)
  console.log(
    `${what}: start ${startMs.toFixed(0)} ms, CPU ${cpu} ms, stall ${max.toFixed(0)} ms, ${residentMb(child.pid!).toFixed(0)} MB`,
  )
}

async function signedIn({ origin, output }: Running): Promise<Management> {
  const code = setupCodeIn(output())
  if (code !== undefined) knowSetupCode(origin, code)
  const admin = management(origin)
  if (code === undefined) await admin.login(root.username, root.password)
  else await admin.setUp()
  return admin
}

async function addBatch({ child }: Running, admin: Management, batch: number): Promise<void> {
  const keys = Array.from({ length: channelsInBatch }, (_, at) => `sk-${batch}-${at}`)
  await ask<LoopDelay>(child, 'loop delay')
  const began = performance.now()
  await admin.must('POST', '/api/channel/', {
    mode: 'batch',
    channel: {
      ...{ type: 1, name: `bench ${batch}`, key: keys.join('\n'), models: modelsOf(batch).join() },
      ...{ group: 'default,vip', base_url: 'https://upstream.example' },
    },
  })
  const ms = performance.now() - began
  await pause(1500)
  const { max } = await ask<LoopDelay>(child, 'loop delay')
  console.log(`batch ${batch + 1}: ${ms.toFixed(0)} ms, stall ${max.toFixed(0)} ms`)
}

function modelsOf(batch: number): readonly string[] {
  return Array.from({ length: modelsOfChannel }, (_, at) => `vendor-${at % 13}/model-${at + batch}`)
}

const names = Array.from({ length: 5 }, (_, at) => `edited-${at}`)

/** From the answer to an edit until another model is listed. */
async function measureEdit({ child, origin }: Running, admin: Management): Promise<void> {
  await admin.option('ModelRatio', Object.fromEntries(names.map((name) => [name, 1])))
  const { key } = await admin.token()
  const { items } = await admin.must('GET', '/api/channel/?p=1&page_size=1')
  const listed = async (): Promise<string> => {
    const response = await fetch(`${origin}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return response.text()
  }
  const delays: number[] = []
  await ask<LoopDelay>(child, 'loop delay')
  for (const name of names) {
    await admin.must('PUT', '/api/channel/', { id: items[0].id, models: `${name},gpt-4o` })
    const began = performance.now()
    while (!(await listed()).includes(name)) await pause(1)
    delays.push(performance.now() - began)
  }
  const { max } = await ask<LoopDelay>(child, 'loop delay')
  console.log(
    `  edit listed after ${delays.map((ms) => ms.toFixed(0)).join(', ')} ms, stall ${max.toFixed(0)} ms`,
  )
}
