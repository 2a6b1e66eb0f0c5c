/** The folder of spooled uploads: whose it is, what is in it, what becomes of what was left there. */
import fs, { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createSpoolFolder } from '../../../../kernel/http/spool/folder.js'
import { folderFor } from './harness.js'

const permissions = async (path: string) => (await stat(path)).mode & 0o777
const nameless = Buffer.from('x')

t.test('it is private, and its files have no name once they are open', async (t) => {
  const within = join(await folderFor(t), 'not', 'there', 'yet')
  const folder = createSpoolFolder(within, fs)
  const { handle, path } = await folder.create()
  t.equal(await permissions(folder.path), 0o700)
  t.equal((await handle.stat()).mode & 0o777, 0o600)
  t.equal(path, undefined)
  t.strictSame(await readdir(folder.path), [])
  await handle.write(nameless, 0, 1, 0)
  t.equal((await handle.read(Buffer.alloc(1), 0, 1, 0)).buffer.toString(), 'x')
  await handle.close()
})

t.test('what a killed process left is removed, and nothing else', async (t) => {
  const within = await folderFor(t)
  const folder = createSpoolFolder(within, fs)
  await mkdir(folder.path, { mode: 0o755 })
  const left = `${'0a'.repeat(16)}.upload`
  await writeFile(join(folder.path, left), 'secret')
  await writeFile(join(folder.path, 'notes.txt'), 'of somebody')
  await writeFile(join(within, left), 'of somebody')
  await chmod(folder.path, 0o755)
  await folder.prepare()
  t.strictSame(await readdir(folder.path), ['notes.txt'])
  t.strictSame((await readdir(within)).includes(left), true)
  t.equal(await permissions(folder.path), 0o700)
})

t.test('a folder that was cleared away is made again', async (t) => {
  const folder = createSpoolFolder(await folderFor(t), fs)
  await (await folder.create()).handle.close()
  await rm(folder.path, { recursive: true })
  await (await folder.create()).handle.close()
  t.equal(await permissions(folder.path), 0o700)
})

t.test('what somebody else put in its place is not used', async (t) => {
  const within = await folderFor(t)
  const folder = createSpoolFolder(within, fs)
  const elsewhere = join(within, 'elsewhere')
  await mkdir(elsewhere)
  await symlink(elsewhere, folder.path)
  await t.rejects(folder.create(), { message: /is no folder of the account/ })
  t.strictSame(await readdir(elsewhere), [])
  const lstat = async (path: string) => Object.assign(await fs.lstat(path), { uid: 12_345 })
  const ofOthers = createSpoolFolder(elsewhere, { ...fs, lstat: lstat as typeof fs.lstat })
  await t.rejects(ofOthers.create(), { message: /is no folder of the account/ })
  // Once it can be used, it is.
  await rm(folder.path)
  await (await folder.create()).handle.close()
})

t.test('a folder that is in memory saves none, and is not used', async (t) => {
  const statfs = async (path: string) => Object.assign(await fs.statfs(path), { type: 0x01021994 })
  const files = { ...fs, statfs: statfs as typeof fs.statfs }
  const folder = createSpoolFolder(await folderFor(t), files)
  await t.rejects(folder.create(), { message: /is kept in memory and not on a disk/ })
})

t.test('where a file keeps its name, whoever has it knows', async (t) => {
  const unlink = async () => {
    throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
  }
  const folder = createSpoolFolder(await folderFor(t), { ...fs, unlink })
  const { handle, path } = await folder.create()
  await handle.close()
  t.match(path, /[0-9a-f]{32}\.upload$/)
})
