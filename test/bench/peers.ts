/**
 * `npm run bench -- --peers`: this gateway, which bills and logs, beside Portkey's, which does neither. It is installed into a temporary
 * folder, from the registry npm is configured with, and no script of a package is run.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../kit/free-port.js'
import { answering, gateway } from './gateways.js'
import { type Measured, measure } from './measure.js'
import { rowOf } from './rows.js'
import { loader, mock, pin, stopped, type Target, targetCore } from './targets.js'

const peer = '@portkey-ai/gateway@1.15.2'
const rounds = 3
const levels = [16, 64]
const goal = 5

export async function runPeers(): Promise<void> {
  const load = await loader()
  const upstream = await mock(50, 200)
  const targets = [await gateway(upstream.origin), await portkey(upstream.origin)]
  const measured: Measured[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const connections of levels) {
        for (const target of targets) {
          const figures = await measure(load, target, { kind: 'json', connections, requests: 3000 })
          // What is measured before everything was compiled is left out.
          if (round > 0) measured.push(figures)
        }
      }
    }
    for (const connections of levels) print(measured, connections)
  } finally {
    for (const target of targets) await target.stop()
    await upstream.stop()
    load.disconnect()
  }
}

function print(measured: readonly Measured[], connections: number): void {
  console.log(`\nJSON, ${connections} connections`)
  const rows = ['gateway', 'portkey'].map((name) => {
    const row = rowOf(measured, name, 'json', connections)
    const figures = [
      `${row.requestsPerSecond.toFixed(0)} requests/s`,
      `${row.cpuPerRequest.toFixed(3)} ms CPU`,
      `p50 ${row.p50.toFixed(1)} ms`,
      `p99 ${row.p99.toFixed(1)} ms`,
      `${row.residentMb.toFixed(0)} MB`,
      `${row.failed} failed`,
    ]
    console.log(`${name.padEnd(10)}${figures.map((figure) => figure.padStart(18)).join('')}`)
    return row
  })
  const ratio = rows[0]!.requestsPerSecond / rows[1]!.requestsPerSecond
  console.log(`requests/s, x Portkey: ${ratio.toFixed(2)} (goal ${goal})`)
}

async function portkey(upstream: string): Promise<Target> {
  const program = join(installed(), 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [program, `--port=${port}`, '--headless'], {
    stdio: 'ignore',
  })
  const origin = `http://127.0.0.1:${port}`
  await answering(origin)
  pin(child.pid!, targetCore)
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  const stop = () => stopped(child, 'SIGKILL')
  return { name: 'portkey', origin, key: 'bench', headers, pid: child.pid!, stop }
}

/** The folder, filled by the first run. */
function installed(): string {
  const folder = join(tmpdir(), 'waybill-bench-peers')
  if (existsSync(join(folder, 'node_modules'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', peer]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${peer} could not be installed.`)
  return folder
}
