/**
 * Room on disk for uploads while they arrive (decision 0082): a bound on all of them together, files that nobody else
 * can open, and what is known of the disk. What goes wrong with it is reported once a minute at most.
 */
import fs from 'node:fs/promises'
import type { Clock, Log } from '../../contract/kit.js'
import { ByteBudget, type ByteShare, wholeForAll } from '../../memory/byte-budget.js'
import { httpLimits } from '../limits.js'
import { createSpoolFile, type SpoolFile } from './file.js'
import { createSpoolFolder, type FileSystem } from './folder.js'
import { createTurns } from './turns.js'

export interface SpoolOptions {
  /** Where its private folder is made. */
  readonly folder: string
  /** Bytes of all uploads of the process together. */
  readonly bytesMax: number
  readonly clock: Clock
  readonly log: Log
  /** Absent: the system's. */
  readonly files?: FileSystem
}

export interface Spool {
  /** Room for an upload of whoever has that share of the memory. Undefined: none, or the disk does not respond. */
  room(share: ByteShare, bytes: number): ByteShare | undefined
  /** An empty file. Rejects where there can be none. */
  open(): Promise<SpoolFile>
  /** An upload could not be kept on disk. */
  failed(error: unknown): void
  /** Bytes on disk that uploads have or may still need. */
  readonly held: number
  /** Resolves once every file is closed, or the disk did not respond for a while. */
  close(): Promise<void>
}

/** The folder is made at once, and nobody waits for it: a disk that does not respond keeps no process from starting. */
export function createSpool({ folder, bytesMax, clock, log, files = fs }: SpoolOptions): Spool {
  const budget = new ByteBudget(bytesMax, wholeForAll)
  const turns = createTurns(httpLimits.spoolOperationsMax, () => clock.monotonic())
  const place = createSpoolFolder(folder, files)
  const open = new Set<SpoolFile>()
  let reportedAt = Number.NEGATIVE_INFINITY
  turns.run(() => place.prepare()).catch(failed)

  function failed(err: unknown): void {
    const now = clock.monotonic()
    if (now - reportedAt < httpLimits.spoolReportMs) return
    reportedAt = now
    const fields = { err, folder: place.path }
    log.warn(fields, 'large uploads cannot be kept on disk; they are taken while memory has room')
  }

  return {
    room(share, bytes) {
      if (turns.longestMs > httpLimits.spoolStallMs) return undefined
      const room = budget.share(share.holder)
      return room.reach(bytes) ? room : undefined
    },
    async open() {
      const found = await turns.run(() => place.create())
      const forget = (path: string) => files.unlink(path)
      const file = createSpoolFile(found, { turns, forget, closed: () => open.delete(file) })
      open.add(file)
      return file
    },
    failed,
    get held() {
      return budget.held
    },
    async close() {
      if (open.size === 0) return
      const all = Promise.all([...open].map((file) => file.close()))
      await new Promise<void>((resolve) => {
        const cancel = clock.after(httpLimits.settleMs, resolve)
        void all.then(cancel).then(resolve)
      })
    },
  }
}
