/** Files in a folder. A file is written beside, and gets its name once it is whole and on the disk. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileSource } from './file-source.js'
import type { Store } from './store.js'

const draftsFolder = '.drafts'

/** `root` throws where no folder is set. */
export function folderStore(root: () => string): Store {
  return {
    async put(name, { pieces }) {
      const target = join(root(), name)
      const draft = join(root(), draftsFolder, randomUUID())
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        await write(draft, pieces)
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        throw error
      }
      await syncFolder(dirname(target))
    },
    async read(name, stretch) {
      const handle = await open(join(root(), name)).catch(unlessMissing)
      return handle && fileSource(handle, stretch)
    },
    async remove(name) {
      await rm(join(root(), name), { force: true })
    },
    async tidy(before) {
      const drafts = join(root(), draftsFolder)
      for (const name of (await readdir(drafts).catch(unlessMissing)) ?? []) {
        const found = await stat(join(drafts, name)).catch(unlessMissing)
        if (found !== undefined && found.mtime < before) await rm(join(drafts, name))
      }
    },
  }
}

async function write(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
