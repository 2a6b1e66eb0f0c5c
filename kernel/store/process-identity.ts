/**
 * Tells one process from every other one there was: a number alone is used again, so its start, the machine's boot
 * and the space its number counts in stand beside it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in the words of the machine; "": unknown. */
  readonly started: string
  /** "": unknown. */
  readonly boot: string
  /** Where numbers of processes mean the same: one machine, or one container of it. */
  readonly space: string
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    boot: bootOf(),
    space: spaceOf(),
  }
}

/** `elsewhere`: its number means nothing here, so nobody can tell from this side. */
export function stateOf(identity: ProcessIdentity): 'alive' | 'dead' | 'elsewhere' {
  if (identity.space !== spaceOf()) return 'elsewhere'
  if (identity.boot !== bootOf()) return 'dead'
  const started = startOf(identity.pid)
  if (started === undefined) return 'dead'
  return started === '' || identity.started === '' || started === identity.started
    ? 'alive'
    : 'dead'
}

/** Undefined: there is no such process, or it is dead and only not buried yet. "": it lives, since when is unknown. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (stat !== undefined) {
    // The name in brackets may hold anything; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '')
  }
  if (!runs(pid)) return undefined
  try {
    const words = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return words.trim()
  } catch {
    return ''
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function bootOf(): string {
  return read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

function spaceOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
