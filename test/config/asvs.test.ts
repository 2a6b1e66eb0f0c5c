/** The table of security requirements names files, and a file that moves takes its row along. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import t from 'tap'

const project = new URL('../../../', import.meta.url)

t.test('every file the table of security requirements names is there', async (t) => {
  const text = await readFile(new URL('config/ASVS.md', project), 'utf8')
  const named = [...text.matchAll(/`((?:kernel|plugins|console|config|test)\/[\w./-]+)`/g)]
  t.ok(named.length > 60)
  for (const [, path = ''] of named) t.ok(existsSync(new URL(path, project)), path)
})
