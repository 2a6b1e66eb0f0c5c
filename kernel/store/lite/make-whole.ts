/**
 * A new database is made beside its place and moved there when it is whole, so that a process killed meanwhile leaves nothing
 * that looks like a database.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenOptions } from './open.js'

const program = fileURLToPath(new URL('./make.js', import.meta.url))

/** Does nothing where the directory is there. Throws an `Error` with what the database printed where it cannot be made. */
export async function makeWhole(directory: string, snapshotFile?: string): Promise<void> {
  if (existsSync(directory)) return
  await removeDrafts(directory)
  // Who made an earlier draft may still be at it, without the process that started it.
  const draft = `${directory}.new-${randomUUID()}`
  await made({ directory: draft, ...(snapshotFile !== undefined && { snapshotFile }) })
  await rename(draft, directory)
}

async function removeDrafts(directory: string): Promise<void> {
  const [parent, name] = [dirname(directory), basename(directory)]
  for (const entry of existsSync(parent) ? await readdir(parent) : []) {
    if (entry.startsWith(`${name}.new`)) {
      await rm(join(parent, entry), { recursive: true, force: true })
    }
  }
}

function made(options: OpenOptions): Promise<void> {
  const child = fork(program, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-printedCharactersMax)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => {
      if (status === 0) resolve()
      else {
        const reason = printed.trim() || `it ended with ${signal ?? status}`
        reject(new Error(`The embedded database could not be made: ${reason}`))
      }
    })
  })
}

/** The end of what it printed holds the reason. */
const printedCharactersMax = 2_000
