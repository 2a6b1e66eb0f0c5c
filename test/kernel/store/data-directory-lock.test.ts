/** One process per data directory, whatever the one before it left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { DataDirectoryInUse, lockDataDirectory } from '../../../kernel/store/data-directory-lock.js'
import { ownIdentity } from '../../../kernel/store/process-identity.js'
import type { Teardown } from '../../kit/database.js'

async function directory(t: Teardown): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'waybill-lock-'))
  t.teardown(() => rm(made, { recursive: true }))
  return made
}

/** A process that does nothing, as a holder. */
async function sleeper(): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'])
  await once(child.stdout, 'data')
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function startOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '',
  )
}

t.test('a directory is held once, and free after release', async (t) => {
  const dir = await directory(t)
  const lock = await lockDataDirectory(dir)
  const refused = await lockDataDirectory(dir).catch((error: unknown) => error)
  t.ok(refused instanceof DataDirectoryInUse)
  t.match(String(refused), dir)
  t.match(String(refused), `process ${process.pid}`)
  await lock.release()
  await lock.release()
  t.same(await readdir(dir), [])
  await (await lockDataDirectory(dir)).release()
})

t.test('what a dead holder left is taken over', async (t) => {
  const dir = await directory(t)
  const file = join(dir, 'waybill.lock')
  const own = ownIdentity()
  const living = await sleeper()
  const started = await startOf(living.pid)
  const gone = await sleeper()
  const goneStarted = await startOf(gone.pid)
  await gone.kill()
  t.teardown(() => living.kill())

  const table = [
    // what the lock states                                             taken over
    ['a process that lives', { ...own, pid: living.pid, started }, false],
    ['a dead process', { ...own, pid: gone.pid, started: goneStarted }, true],
    ['a number that was used again', { ...own, pid: living.pid, started: '1' }, true],
    ['another boot of this machine', { ...own, boot: 'before' }, true],
    ['nothing that can be read', 'torn', true],
    ['an empty file', '', true],
  ] as const
  for (const [what, content, free] of table) {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    const lock = await lockDataDirectory(dir).catch(() => undefined)
    t.equal(lock !== undefined, free, what)
    await lock?.release()
    await rm(file, { force: true })
  }
  t.same(await readdir(dir), [], 'nothing is left beside the lock')
})

t.test('a holder in another container counts as long as it shows that it lives', async (t) => {
  const dir = await directory(t)
  const file = join(dir, 'waybill.lock')
  await writeFile(file, JSON.stringify({ ...ownIdentity(), space: 'other-host pid:[1]' }))
  await t.rejects(lockDataDirectory(dir), { name: 'DataDirectoryInUse' })
  const longAgo = new Date(Date.now() - 31_000)
  await utimes(file, longAgo, longAgo)
  await (await lockDataDirectory(dir)).release()
})

t.test('of many that find a stale lock exactly one gets it', async (t) => {
  const dir = await directory(t)
  for (let round = 0; round < 20; round += 1) {
    await writeFile(join(dir, 'waybill.lock'), JSON.stringify({ ...ownIdentity(), started: '1' }))
    const tries = Array.from({ length: 8 }, () => lockDataDirectory(dir))
    const settled = await Promise.allSettled(tries)
    const got = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    t.equal(got.length, 1)
    await got[0]?.release()
  }
  t.same(await readdir(dir), [])
})
