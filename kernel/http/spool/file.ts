/** One spooled upload on disk: written behind what is there, and read again as a whole. */
import { bytesOf } from '../../toolkit/body/collect.js'
import { httpLimits } from '../limits.js'
import type { OpenFile } from './folder.js'
import type { Turns } from './turns.js'

export interface SpoolFile {
  /** Writes them behind what is there. Where it rejects, none of them count. */
  append(pieces: readonly Buffer[]): Promise<void>
  /** Everything, in a buffer of exactly that size. What nobody wants any more is not read to its end. */
  read(isWanted: () => boolean): Promise<Buffer>
  /** May be called again; never rejects. */
  close(): Promise<void>
}

export interface SpoolFileParts {
  readonly turns: Turns
  /** Removes the name it still has. */
  forget(path: string): Promise<unknown>
  closed(): void
}

export function createSpoolFile(
  { handle, path }: OpenFile,
  { turns, forget, closed }: SpoolFileParts,
): SpoolFile {
  /** Bytes that were written. */
  let length = 0
  let closing: Promise<void> | undefined

  async function closeIt(): Promise<void> {
    try {
      await turns.run(() => handle.close())
      if (path !== undefined) await turns.run(() => forget(path))
    } catch {
      // The system reports late here that a write failed. Nobody needs it any more.
    } finally {
      closed()
    }
  }

  return {
    async append(pieces) {
      let [left, at] = [pieces, length]
      while (left.length > 0) {
        const { bytesWritten } = await turns.run(() => handle.writev(left, at))
        if (bytesWritten === 0) throw new Error('nothing was written')
        at += bytesWritten
        left = behind(left, bytesWritten)
      }
      length = at
    },
    async read(isWanted) {
      const all = Buffer.allocUnsafeSlow(length)
      let at = 0
      while (at < length && isWanted()) {
        const most = Math.min(length - at, httpLimits.spoolReadBytes)
        const { bytesRead } = await turns.run(() => handle.read(all, at, most, at))
        if (bytesRead === 0) throw new Error('the file is shorter than what was written')
        at += bytesRead
      }
      return all
    },
    close() {
      closing ??= closeIt()
      return closing
    },
  }
}

/** What is left of the pieces behind so many bytes. A disk that is nearly full takes a part of them. */
function behind(pieces: readonly Buffer[], bytes: number): readonly Buffer[] {
  if (bytes >= bytesOf(pieces)) return []
  let skipped = 0
  const first = pieces.findIndex((piece) => {
    if (skipped + piece.length > bytes) return true
    skipped += piece.length
    return false
  })
  return [pieces[first]!.subarray(bytes - skipped), ...pieces.slice(first + 1)]
}
