/** Tables of a benchmark run: medians of the rounds, ratios to direct and to the bare proxy, goals and where they fail. */
import type { Measured } from './measure.js'
import { type Row, rowOf } from './rows.js'

const targets = ['direct', 'bare', 'hapi', 'gateway'] as const
const levels = [1, 16, 64, 256] as const

export function printTable(measured: readonly Measured[]): void {
  for (const connections of levels) {
    console.log(`JSON, ${connections} connection(s)`)
    heading([
      'req/s',
      'x direct',
      'x bare',
      '+p50 ms',
      '+p99 ms',
      'CPU ms',
      'x bare',
      'RSS MB',
      'failed',
    ])
    const rows = rowsOf(measured, 'json', connections)
    const { direct, bare } = rows
    for (const target of targets) {
      const row = rows[target]
      line(target, [
        row.requestsPerSecond.toFixed(0),
        (row.requestsPerSecond / direct.requestsPerSecond).toFixed(2),
        (row.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
        (row.p50 - direct.p50).toFixed(2),
        (row.p99 - direct.p99).toFixed(2),
        row.cpuPerRequest.toFixed(3),
        (row.cpuPerRequest / bare.cpuPerRequest).toFixed(2),
        row.residentMb.toFixed(0),
        String(row.failed),
      ])
    }
    console.log()
  }
  console.log('Paced streams')
  heading(['first p50', 'first p99', 'us/event', 'x bare', 'RSS MB', 'stall ms', 'failed'])
  const rows = rowsOf(measured, 'stream')
  for (const target of targets) {
    const row = rows[target]
    line(target, [
      row.p50.toFixed(1),
      row.p99.toFixed(1),
      (row.cpuPerEvent * 1000).toFixed(1),
      (row.cpuPerEvent / rows.bare.cpuPerEvent).toFixed(2),
      row.residentMb.toFixed(0),
      row.stallMs.toFixed(0),
      String(row.failed),
    ])
  }
  console.log()
}

/** The goal table: figure, measured, goal, and the value from which it counts as failed. */
export function printGoals(measured: readonly Measured[], onPostgres: boolean): void {
  const busy = rowsOf(measured, 'json', 64)
  const calm = rowsOf(measured, 'json', 1)
  const stream = rowsOf(measured, 'stream')
  const { gateway, bare, hapi } = busy
  const withDatabase = gateway.cpuPerRequest + gateway.postgresPerRequest
  const best = Math.max(
    ...levels.map((level) => rowsOf(measured, 'json', level).gateway.requestsPerSecond),
  )
  const goals: [string, number, number, number][] = onPostgres
    ? [
        [
          'gateway CPU per request / bare dispatch proxy',
          gateway.cpuPerRequest / bare.cpuPerRequest,
          3.0,
          3.5,
        ],
        [
          'gateway CPU per request / hapi-parsed proxy',
          gateway.cpuPerRequest / hapi.cpuPerRequest,
          1.2,
          1.35,
        ],
        ["CPU with PostgreSQL's, ms", withDatabase, 0.14, 0.2],
        ['requests/s, one process', -best, -8000, -5000],
        ['added p50 at one connection, ms', calm.gateway.p50 - calm.direct.p50, 1.0, 1.5],
        ['p99 / p50 at 64 connections', gateway.p99 / gateway.p50, 3, 4],
        ['resident memory at 64 connections, MB', gateway.residentMb, 170, 300],
      ]
    : [
        ['PGlite, 64 connections, requests/s', -gateway.requestsPerSecond, -3000, -2000],
        ['PGlite, CPU ms per request', gateway.cpuPerRequest, 0.4, 0.55],
        ['PGlite, resident memory at 64 connections, MB', gateway.residentMb, 350, 500],
      ]
  goals.push(
    [
      'stream CPU per event / bare dispatch proxy',
      stream.gateway.cpuPerEvent / stream.bare.cpuPerEvent,
      1.2,
      1.5,
    ],
    ['first token p50 of paced streams, ms', stream.gateway.p50, 5, 20],
    ['resident memory at paced streams, MB', stream.gateway.residentMb, 200, 300],
  )
  console.log(
    `${'figure'.padEnd(50)}${'measured'.padStart(10)}${'goal'.padStart(10)}${'fail'.padStart(10)}`,
  )
  for (const [name, value, goal, fail] of goals) {
    const verdict = value <= goal ? 'reached' : value <= fail ? 'missed' : 'FAILED'
    const cells = [value, goal, fail].map((each) => round(Math.abs(each)).padStart(10)).join('')
    console.log(`${name.padEnd(50)}${cells}  ${verdict}`)
  }
}

function rowsOf(measured: readonly Measured[], kind: string, connections?: number) {
  const row = (target: string) => rowOf(measured, target, kind, connections)
  return Object.fromEntries(targets.map((target) => [target, row(target)])) as Record<
    (typeof targets)[number],
    Row
  >
}

function heading(names: readonly string[]): void {
  console.log(`${''.padEnd(10)}${names.map((name) => name.padStart(10)).join('')}`)
}

function line(name: string, cells: readonly string[]): void {
  console.log(`${name.padEnd(10)}${cells.map((cell) => cell.padStart(10)).join('')}`)
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
