/**
 * Heads of the chain kept outside the database: lines of the process log, and of a file for each day in the data directory
 * of this machine. Rows that somebody with the database alone takes away from the end are missed there.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../kernel/contract/json.js'
import type { Log } from '../../../kernel/contract/kit.js'

export interface Head {
  readonly id: number
  readonly createdAt: Date
  readonly hash: Buffer
}

export interface KeptHeads {
  /** The chain ends here now. The last head of a day is kept as soon as there is one of the next. */
  note(head: Head): Promise<void>
  /** Keeps the head noted last, unless it is kept already. Never rejects. */
  keep(): Promise<void>
  /** Those kept on this machine of a day, what is being written included, as `2026-01-31`: hexadecimal hashes by id. */
  of(day: string): Promise<ReadonlyMap<number, string>>
}

/** @param directory of the heads; undefined: the process log alone has them */
export function keptHeads(directory: string | undefined, log: Log): KeptHeads {
  let last: Head | undefined
  let missed = false
  let written: Promise<unknown> = Promise.resolve()

  async function keep(): Promise<void> {
    const head = last
    last = undefined
    if (head === undefined) return
    const reported = {
      id: head.id,
      at: head.createdAt.toISOString(),
      hash: head.hash.toString('hex'),
    }
    log.info({ head: reported }, 'the head of the audit log')
    if (directory === undefined) return
    written = written.then(() => append(directory, reported)).catch(miss)
    await written
  }

  /** Said once: the process log has every head all the same. */
  function miss(err: unknown): void {
    if (!missed) log.error({ err, directory }, 'heads of the audit log cannot be kept in a file')
    missed = true
  }

  return {
    keep,
    async note(head) {
      if (last !== undefined && dayOf(last.createdAt) !== dayOf(head.createdAt)) await keep()
      last = head
    },
    async of(day) {
      if (directory === undefined) return new Map()
      await written
      const text = await readFile(fileOf(directory, day), 'utf8').catch(unlessMissing)
      return new Map(text.split('\n').flatMap(headIn))
    },
  }
}

async function append(directory: string, reported: { readonly at: string }): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const file = fileOf(directory, reported.at.slice(0, 10))
  await appendFile(file, `${JSON.stringify(reported)}\n`, { mode: 0o600 })
}

function fileOf(directory: string, day: string): string {
  return join(directory, `${day}.jsonl`)
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** A line that was cut short by a full disk proves nothing. */
function headIn(line: string): [number, string][] {
  try {
    const head: unknown = JSON.parse(line)
    return isObject(head) ? [[Number(head.id), String(head.hash)]] : []
  } catch {
    return []
  }
}

function unlessMissing(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
  throw error
}
