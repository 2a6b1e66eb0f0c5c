/** The embedded database is made by a process of its own, and stands in its place once it is whole. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeWhole } from '../../../kernel/store/lite/make-whole.js'

const program = new URL('../../../kernel/store/lite/make.js', import.meta.url)

t.test('a new database stands in its place, and drafts of earlier starts are gone', async (t) => {
  const folder = t.testdir({ 'pglite.new-1': { PG_VERSION: '18' } })
  const directory = join(folder, 'pglite')
  await makeWhole(directory)
  t.strictSame(await readdir(folder), ['pglite'])
  t.ok(existsSync(join(directory, 'PG_VERSION')))
  await writeFile(join(directory, 'mark'), '')
  await makeWhole(directory)
  t.ok(existsSync(join(directory, 'mark')), 'one that is there is left alone')
})

t.test('where it cannot be made the reason is in the error, and nothing is left', async (t) => {
  const folder = t.testdir({})
  const directory = join(folder, 'pglite')
  await t.rejects(makeWhole(directory, join(folder, 'missing')), {
    message: /^The embedded database could not be made: Unable to open file/,
  })
  t.strictSame(await readdir(folder), [])
})

t.test('who makes it ends with the process that started it, and leaves no draft', async (t) => {
  const directory = join(t.testdir({}), 'draft')
  await mkdir(directory)
  const child = fork(program.pathname, [JSON.stringify({ directory })], { stdio: 'ignore' })
  await once(child, 'spawn')
  child.disconnect()
  const [status] = await once(child, 'exit')
  t.equal(status, 1)
  t.notOk(existsSync(directory))
})
