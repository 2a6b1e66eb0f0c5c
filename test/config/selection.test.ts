/** What a second run of the suite leaves out. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

interface Selected {
  readonly again: readonly string[]
  readonly once: ReadonlyMap<string, readonly string[]>
}
type Select = (files: readonly string[], root: string) => Selected

/** From `dist/test/config` to the script, which is not compiled. */
const script = new URL('../../../test/selection.mjs', import.meta.url).href
const { selection }: { readonly selection: Select } = await import(script)

const files = {
  'kernel/store/pool.js': '',
  'kernel/near.js': "import './store/pool.js'\n",
  'kernel/far.js': "export { nothing } from '../kernel/pure.js'\n",
  'kernel/pure.js': "import { join } from 'node:path'\nexport const nothing = join()\n",
  'test/kit.js': "import { spawn } from 'node:child_process'\n",
  'test/store.test.js':
    "import t from 'tap'\nimport {\n    a,\n    b\n} from '../kernel/near.js'\n",
  'test/process.test.js': "import './kit.js'\n",
  'test/driver.test.js': "const { default: pg } = await import('pg')\n",
  'test/named-late.test.js': 'await import(name)\n',
  'test/nowhere.test.js': "import '../kernel/gone.js'\n",
  'test/pure.test.js': "import t from 'tap'\nimport { nothing } from '../kernel/far.js'\n",
  'test/config/script.test.js': "import '../kit.js'\n",
  'test/spec/hostile-words.test.js': "import '../kit.js'\n",
  'test/attacks/bodies.test.js': "import '../kit.js'\n",
  'test/fuzz/fuzz.test.js': "import '../kit.js'\n",
  'test/kernel/registry/order.test.js': "import '../../kit.js'\n",
  'test/kernel/http/tls.test.js': "import '../../kit.js'\n",
  'test/providers/acme.test.js': "import '../../kernel/near.js'\n",
  'test/acceptance/proxies.test.js': "import '../../kernel/near.js'\n",
  'test/acceptance/json-mode.test.js': "import '../../kernel/near.js'\n",
  'test/plugins/tasks/acme.test.js': "import '../../../kernel/near.js'\n",
  'test/spec/svc-load.test.js': "import '../../kernel/near.js'\n",
  'test/server.test.js':
    "import './kit.js'\nt.test('one', { skip: !process.env.DATABASE_URL && 'needs it' })\n",
  'test/server-or-not.test.js':
    "import './kit.js'\nt.test('one', { skip: !process.env.DATABASE_URL })\nt.test('two')\n",
  'test/browser.test.js': "import './kit.js'\nimport { chromium } from 'playwright-core'\n",
  'test/sdk.test.js': "import '../kernel/near.js'\nimport OpenAI from 'openai'\n",
}

t.test('a second run leaves out what no database changes, scripts and browsers', async (t) => {
  const root = t.testdir()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const tests = Object.keys(files).filter((path) => path.endsWith('.test.js'))
  const { again, once } = selection(tests, root)
  t.strictSame(again, [
    'test/store.test.js',
    'test/process.test.js',
    'test/driver.test.js',
    'test/named-late.test.js',
    'test/nowhere.test.js',
    'test/server-or-not.test.js',
  ])
  t.strictSame([...once.values()].sort(), [
    ['test/browser.test.js', 'test/sdk.test.js'],
    [
      'test/config/script.test.js',
      'test/spec/hostile-words.test.js',
      'test/attacks/bodies.test.js',
      'test/fuzz/fuzz.test.js',
      'test/kernel/registry/order.test.js',
      'test/kernel/http/tls.test.js',
    ],
    [
      'test/providers/acme.test.js',
      'test/acceptance/proxies.test.js',
      'test/acceptance/json-mode.test.js',
      'test/plugins/tasks/acme.test.js',
      'test/spec/svc-load.test.js',
    ],
    ['test/pure.test.js'],
    ['test/server.test.js'],
  ])
})
