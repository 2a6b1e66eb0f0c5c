/** A lock file: one process at a time does a piece of work, the others wait. The lock of a process that died is taken over. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const pollMs = 100
/** A lock this old is nobody's: its process number may belong to another by now. */
const ageMsMax = 10 * 60_000

/** Runs `work` while holding the lock and answers what it answers. */
export async function underLock(path, work) {
  while (!take(path)) await wait(pollMs)
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isStale(path)) discard(path)
  return false
}

function isStale(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > ageMsMax) return true
    const owner = Number(readFileSync(path, 'utf8'))
    return owner > 0 && owner !== process.pid && !isAlive(owner)
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Of several that find the same stale lock, one moves it away; the others find it gone. */
function discard(path) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
