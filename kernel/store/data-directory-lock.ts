/**
 * One process per data directory: a second one that opened the embedded database would silently lose what the first
 * has written (P6). The lock is a file that names its holder; what a dead holder left is taken over.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../contract/json.js'
import { systemClock } from '../schedule/system-clock.js'
import { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.js'

/** Another process works on this data directory. The sentence is for the operator. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

export interface DataDirectoryLock {
  /** Gives the directory free; a second call does nothing. */
  release(): Promise<void>
}

/** How often a holder shows that it lives, for those who cannot see its process, milliseconds. */
const signOfLifeMs = 2000
/** Silence after which a holder that cannot be seen counts as dead, milliseconds. */
const silenceMs = 30_000

/** Rejects at once with `DataDirectoryInUse` while another process, or this one, holds the directory. */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  const path = join(dataDir, 'waybill.lock')
  const content = await acquire(path, dataDir)
  const stop = showLife(path)
  let released = false
  return {
    release: async () => {
      if (released) return
      released = true
      stop()
      await releaseOwn(path, content)
    },
  }
}

/** Answers what the lock file states now, which is this process alone. */
async function acquire(path: string, dataDir: string): Promise<string> {
  const content = JSON.stringify({ ...ownIdentity(), mark: randomUUID() })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
  try {
    while (!(await linked(draft, path))) {
      const found = await contentOf(path)
      if (found === undefined) continue
      if (await held(path, found)) throw inUse(dataDir, found)
      await takeOver({ draft, path, stale: found, dataDir })
      if ((await contentOf(path)) === content) break
    }
    return content
  } finally {
    await unlink(draft).catch(ignoreMissing)
  }
}

/**
 * Replaces a stale lock. Only who holds the right to replace this very lock may do so, and that right is a lock of
 * the same kind: else two who both saw the stale one could remove each other's.
 */
async function takeOver(options: {
  readonly draft: string
  readonly path: string
  readonly stale: string
  readonly dataDir: string
}): Promise<void> {
  const { draft, path, stale, dataDir } = options
  const right = join(dataDir, `waybill.lock-${createHash('sha256').update(stale).digest('hex')}`)
  const own = await acquire(right, dataDir)
  try {
    if ((await contentOf(path)) === stale) await rename(draft, path)
  } finally {
    await releaseOwn(right, own)
  }
}

async function held(path: string, content: string): Promise<boolean> {
  const holder = holderIn(content)
  const state = holder ? stateOf(holder) : 'dead'
  if (state !== 'elsewhere') return state === 'alive'
  const touched = await stat(path).catch(ignoreMissing)
  return touched !== undefined && Date.now() - touched.mtimeMs < silenceMs
}

function holderIn(content: string): ProcessIdentity | undefined {
  try {
    const found: unknown = JSON.parse(content)
    if (!isObject(found)) return undefined
    const { pid, started, boot, space } = found
    return typeof pid === 'number' &&
      typeof started === 'string' &&
      typeof boot === 'string' &&
      typeof space === 'string'
      ? { pid, started, boot, space }
      : undefined
  } catch {
    return undefined
  }
}

function inUse(dataDir: string, content: string): DataDirectoryInUse {
  const holder = holderIn(content)
  const who = holder ? ` (process ${holder.pid} on ${holder.space.split(' ')[0]})` : ''
  return new DataDirectoryInUse(
    `Another process${who} already works on the data directory ${dataDir}. End it first, give this one another ` +
      'DATA_DIR, or set DATABASE_URL to share one PostgreSQL.',
  )
}

function showLife(path: string): () => void {
  let cancel = systemClock.after(signOfLifeMs, touch)
  let stopped = false
  function touch(): void {
    const now = new Date()
    utimes(path, now, now)
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) cancel = systemClock.after(signOfLifeMs, touch)
      })
  }
  return () => {
    stopped = true
    cancel()
  }
}

async function releaseOwn(path: string, content: string): Promise<void> {
  if ((await contentOf(path)) === content) await unlink(path).catch(ignoreMissing)
}

/** True when the draft now also stands at the path; false when something stood there already. */
async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreMissing)
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
