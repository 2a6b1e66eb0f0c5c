/**
 * The private folder of spooled uploads. A file loses its name as soon as it is open, so a process that is killed leaves
 * nothing behind; where a file system does not take that, it loses it when it is closed, or at the next start.
 */
import { randomBytes } from 'node:crypto'
import type fs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

export type FileSystem = Pick<
  typeof fs,
  'chmod' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'statfs' | 'unlink'
>

export interface OpenFile {
  readonly handle: FileHandle
  /** It still has this name. Absent: it has none. */
  readonly path?: string
}

export interface SpoolFolder {
  readonly path: string
  /** Makes it where it is missing and removes what earlier processes left. Rejects where it cannot be used. */
  prepare(): Promise<void>
  /** A new file, for this process alone. Rejects where there can be none. */
  create(): Promise<OpenFile>
}

const fileName = /^[0-9a-f]{32}\.upload$/
/** What `statfs` names file systems that are memory: tmpfs and ramfs of Linux. */
const inMemory: readonly number[] = [0x01021994, 0x858458f6]

/** `within`: where it is made; other accounts have folders of their own there. */
export function createSpoolFolder(within: string, files: FileSystem): SpoolFolder {
  // Undefined: Windows, whose folders of temporary files belong to one account.
  const account = process.getuid?.()
  const path = join(
    within,
    account === undefined ? 'waybill-uploads' : `waybill-uploads-${account}`,
  )

  let prepared: Promise<void> | undefined

  function prepare(): Promise<void> {
    prepared ??= prepareAnew().catch((error) => {
      prepared = undefined
      throw error
    })
    return prepared
  }

  async function prepareAnew(): Promise<void> {
    await files.mkdir(path, { recursive: true, mode: 0o700 })
    const found = await files.lstat(path)
    if (!found.isDirectory() || (account !== undefined && found.uid !== account)) {
      throw new Error(`${path} is no folder of the account this process runs as`)
    }
    if (account !== undefined && (found.mode & 0o077) !== 0) await files.chmod(path, 0o700)
    const { type } = await files.statfs(path)
    // On disk, memory would be saved; there, it would be used twice.
    if (inMemory.includes(type >>> 0))
      throw new Error(`${path} is kept in memory and not on a disk`)
    // Another process that has one of them open does not miss its name.
    const left = (await files.readdir(path)).filter((name) => fileName.test(name))
    for (const name of left) await withoutName(join(path, name))
  }

  /** False: it still has one. */
  async function withoutName(file: string): Promise<boolean> {
    try {
      await files.unlink(file)
      return true
    } catch (error) {
      return isMissing(error)
    }
  }

  async function open(): Promise<OpenFile> {
    const file = join(path, `${randomBytes(16).toString('hex')}.upload`)
    // Fails where the name exists, a link among them.
    const handle = await files.open(file, 'wx+', 0o600)
    return (await withoutName(file)) ? { handle } : { handle, path: file }
  }

  return {
    path,
    prepare,
    async create() {
      await prepare()
      try {
        return await open()
      } catch (error) {
        if (!isMissing(error)) throw error
        // Systems clear away folders of temporary files that nobody used for some days.
        prepared = undefined
        await prepare()
        return open()
      }
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
