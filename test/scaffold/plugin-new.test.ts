/** New plugins: what cannot be made, and half of the kinds; the others are in `plugin-new-others.test.ts`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run, scaffoldKinds } from '../../config/cli/plugin-new.js'
import { testNew } from './made-plugins.js'

testNew(scaffoldKinds.slice(0, 3))

t.test('what cannot be made is refused in a sentence, and nothing is written', async (t) => {
  const folder = t.testdir({ full: { file: '' } })
  const at = (place: string) => ['--dir', join(folder, place)]
  await t.rejects(run(['stage', 'acme', ...at('a')]), { message: /kind is "stage".*provider/ })
  await t.rejects(run(['guard', 'Acme', ...at('a')]), { message: /name is "Acme"/ })
  await t.rejects(run(['guard', 'acme-', ...at('a')]), { message: /name is "acme-"/ })
  await t.rejects(run(['guard', 'acme', 'more', ...at('a')]), { message: /"more" is more/ })
  await t.rejects(run(['guard', 'acme', ...at('full')]), { message: /is not empty/ })
  t.notOk(existsSync(join(folder, 'a')))
})
