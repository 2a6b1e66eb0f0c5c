/**
 * `npm run bench -- --young [path of another Node.js …]`: what sizes of the young generation cost and save, in processor time for each
 * request and in memory, at 64 connections: gateways that differ in nothing else, in turns within one run.
 */
import { spawnSync } from 'node:child_process'
import { gateway } from './gateways.js'
import { type Measured, measure } from './measure.js'
import { rowOf } from './rows.js'
import { loader, mock, type Target } from './targets.js'

/** MB of each half of it; undefined: what Node.js chooses. */
const sizes = [undefined, 8, 16, 32, 64]
const connections = 64
const requests = 6000
const rounds = 6

export async function runYoung(others: readonly string[]): Promise<void> {
  const load = await loader()
  const upstream = await mock(50, 10)
  const started: Target[] = []
  const measured: Measured[] = []
  try {
    for (const execPath of [process.execPath, ...others]) {
      const version = spawnSync(execPath, ['--version'], { encoding: 'utf8' }).stdout.trim()
      for (const size of sizes) {
        const execArgv = size === undefined ? [] : [`--max-semi-space-size=${size}`]
        const name = `${version} ${size ?? 'as it is'}`
        started.push(await gateway(upstream.origin, { name, execPath, execArgv }))
      }
    }
    for (const target of started) {
      await measure(load, target, { kind: 'json', connections, requests })
    }
    for (let round = 0; round < rounds; round++) {
      for (const target of started.toReversed()) {
        measured.push(await measure(load, target, { kind: 'json', connections, requests }))
      }
      started.reverse()
    }
    for (const { name } of started.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      print(measured, name)
  } finally {
    for (const target of started) await target.stop()
    await upstream.stop()
    load.disconnect()
  }
}

function print(measured: readonly Measured[], name: string): void {
  const { cpuPerRequest, residentMb, p50, p99, failed } = rowOf(measured, name, 'json', connections)
  const all = measured
    .filter(({ target }) => target === name)
    .map((one) => one.cpuMs / one.requests)
  console.log(
    `${name.padEnd(18)} CPU ${cpuPerRequest.toFixed(3)} ms (best ${Math.min(...all).toFixed(3)}), ` +
      `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ${residentMb.toFixed(0)} MB, failed ${failed}`,
  )
}
