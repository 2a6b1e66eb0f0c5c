/** The parts of `npm run check` that are our own: they must catch what is planted, and see every module. */
import t from 'tap'
import { type Scratch, scratch } from './scratch.js'

interface Findings {
  readonly modules?: number
  readonly plugins?: number
  readonly citations?: number
  readonly faults: readonly string[]
}

async function findings(project: Scratch, check: string, verb: string): Promise<Findings> {
  const { status, output } = await project.run(`
    import { ${verb} } from './config/checks/${check}.mjs'
    console.log(JSON.stringify(${verb}()))`)
  if (status !== 0) throw new Error(output)
  return JSON.parse(output)
}

const sound = {
  'kernel/contract/kit.ts': 'export interface Kit<Name> {\n  readonly services: Name\n}\n',
  'kernel/registry/container.ts':
    "import 'reflect-metadata'\nimport 'tsyringe'\nexport const container = 1\n",
  'kernel/left.ts':
    "import type { Right } from './right.js'\nexport interface Left {\n  right: Right\n}\n",
  'kernel/right.ts':
    "import type { Left } from './left.js'\nexport interface Right {\n  left: Left\n}\n",
  'plugins/services/ledger/index.ts': "export type * from './ledger.js'\nexport const ledger = 1\n",
  'plugins/services/ledger/ledger.ts': 'export interface Ledger {\n  readonly balance: bigint\n}\n',
  'plugins/stages/settle/index.ts':
    "import type { Kit } from '../../../kernel/contract/kit.js'\n" +
    "import type { Ledger } from '../../services/ledger/index.js'\nexport type Settle = Kit<Ledger>\n",
  'providers/acme/index.ts':
    "import type { Kit } from '../../kernel/contract/kit.js'\nexport type Own = Kit<1>\n",
  'console/modules/tokens/page.vue':
    '<script setup lang="ts">\nimport "../../ui/card.vue"\nimport type { Kit } from "../../../kernel/contract/kit.js"\nconst kit = {} as Kit<1>\n</script>\n<template>{{ kit }}</template>\n',
  'console/ui/card.vue': '<template><slot /></template>\n',
  'config/environment.ts': 'export const port = process.env.PORT\n',
  'test/own.test.ts': 'export const url = process.env.DATABASE_URL\n',
}

t.test('arrows as they are meant to be pass, and every module is seen', async (t) => {
  const { modules, faults } = await findings(scratch(t, sound), 'boundaries', 'findTrespasses')
  t.strictSame(faults, [])
  // Besides these the configuration of Vite, which every project has.
  t.equal(modules, Object.keys(sound).length + 1)
})

t.test('each wrong arrow is found', async (t) => {
  const table: readonly (readonly [path: string, code: string, fault: RegExp])[] = [
    [
      'kernel/a.ts',
      "import '../plugins/services/ledger/index.js'\n",
      /kernel imports no other folder/,
    ],
    [
      'kernel/b.ts',
      "import type { Ledger } from '../plugins/services/ledger/index.js'\nexport type B = Ledger\n",
      /kernel imports no other folder/,
    ],
    [
      'console/modules/tokens/other.vue',
      '<script setup lang="ts">\nimport "../../../kernel/left.js"\n</script>\n',
      /the console takes contract types only/,
    ],
    [
      'console/modules/tokens/a.ts',
      "import '../../../kernel/contract/kit.js'\n",
      /no code of theirs/,
    ],
    ['console/modules/logs/a.ts', "import '../tokens/page.vue'\n", /an area .* knows no other/],
    ['console/ui/b.ts', "import '../modules/tokens/page.vue'\n", /what areas share knows none/],
    ['kernel/c.ts', "import 'tsyringe'\n", /only the container knows tsyringe/],
    ['kernel/d.ts', "import './e.js'\n", /no cycles/],
    ['kernel/f.ts', 'export const home = process.env.HOME\n', /reads process\.env/],
    ['kernel/g.ts', "import '../test/own.test.js'\n", /nothing imports a test/],
    ['kernel/h.ts', "import 'undici'\n", /egress is the only way out/],
    ['kernel/i.ts', "import 'fast-check'\n", /what runs is no development dependency/],
    ['kernel/j.ts', "import './nowhere.js'\n", /every import leads somewhere/],
    [
      'plugins/stages/a/index.ts',
      "import '../../services/ledger/index.js'\n",
      /between plugins only types/,
    ],
    [
      'plugins/stages/b/index.ts',
      "import type { Ledger } from '../../services/ledger/ledger.js'\nexport type B = Ledger\n",
      /of another plugin only its index\.ts/,
    ],
    [
      'plugins/stages/c/index.ts',
      "import '../../../providers/acme/index.js'\n",
      /a plugin imports no provider/,
    ],
    [
      'plugins/formats/d/index.ts',
      "import '../../../kernel/store/database.js'\n",
      /pure plugins reach nothing/,
    ],
    ['providers/e/index.ts', "import 'node:https'\n", /pure plugins have no network/],
    ['providers/f/index.ts', "import '../acme/index.js'\n", /a provider imports the kernel only/],
    [
      'providers/g/index.ts',
      "import '../../plugins/services/ledger/index.js'\n",
      /a provider imports the kernel only/,
    ],
    [
      'plugins/services/h/index.ts',
      "import type { Left } from '../../../kernel/left.js'\nexport type H = Left\n",
      /authors import the contract and the rooms of the toolkit/,
    ],
    [
      'plugins/services/i/index.ts',
      "import '../../../kernel/toolkit/json/fields.js'\n",
      /authors import the contract and the rooms of the toolkit/,
    ],
    ['kernel/toolkit/json/j.ts', "import '../../left.js'\n", /the toolkit imports the contract/],
    ['kernel/contract/k.ts', "import '../left.js'\n", /the contract imports nothing else/],
    [
      'kernel/contract/l.ts',
      "import type { Knex } from 'knex'\nexport type L = Knex\n",
      /meets neither services nor databases/,
    ],
    [
      'kernel/contract/m.ts',
      "import type { N } from './n.js'\nexport interface M {\n  n: N\n}\n",
      /no cycles of types in the contract/,
    ],
  ]
  const planted = Object.fromEntries(table.map(([path, code]) => [path, code]))
  const project = scratch(t, {
    ...sound,
    'kernel/store/database.ts': 'export const a = 1\n',
    'kernel/e.ts': "import './d.js'\n",
    'kernel/contract/n.ts': "import type { M } from './m.js'\nexport interface N {\n  m: M\n}\n",
    'kernel/toolkit/json/fields.ts': 'export const b = 1\n',
    ...planted,
  })
  const { faults } = await findings(project, 'boundaries', 'findTrespasses')
  for (const [path, , fault] of table) {
    t.ok(
      faults.some((one) => one.startsWith(path) && fault.test(one)),
      `${path} ${fault}`,
    )
  }
  const blamed = new Set(faults.map((one) => one.split(' ')[0]))
  for (const path of Object.keys(sound)) t.notOk(blamed.has(path), `${path} is not blamed`)
})

t.test('a project whose plugins import nothing of the kernel is not seen as sound', async (t) => {
  const { 'plugins/stages/settle/index.ts': _, 'providers/acme/index.ts': __, ...others } = sound
  const { faults } = await findings(scratch(t, others), 'boundaries', 'findTrespasses')
  t.strictSame(faults, ['No plugin was seen to import the contract or the toolkit.'])
})

t.test('a cruise that sees less than there is fails the check', async (t) => {
  const project = scratch(t, sound)
  project.write(
    '.dependency-cruiser.cjs',
    "module.exports = { forbidden: [], options: { exclude: 'kernel' } }\n",
  )
  const { faults } = await findings(project, 'boundaries', 'findTrespasses')
  t.ok(faults.includes('kernel/left.ts was not looked at.'))
})

t.test('a kit and its manifest must name the same services', async (t) => {
  const table: readonly (readonly [
    requires: readonly string[],
    code: string,
    faults: readonly RegExp[],
    kind?: string,
  ])[] = [
    [[], 'export default function create() {}\n', []],
    [[], 'export default function create({ settings }: Kit) {}\n', []],
    [['a', 'b'], "export default function create({ services }: Kit<'a' | 'b'>) {}\n", []],
    [['a'], "const create = 1\nexport default (kit: Kit<'a'>) => kit\n", []],
    [['a'], "type Own = 'a'\nfunction create(kit: Kit<Own>) {}\nexport default create\n", []],
    [['a'], "type Own = Kit<'a'>\nexport default function create(kit: Own) {}\n", []],
    [[], "export default function create(kit: Pick<Kit, 'settings'>) {}\n", []],
    [
      ['a', 'b'],
      "export default function create(kit: Kit<'a'>) {}\n",
      [/requires "b", Kit<…> does not name it/],
    ],
    [
      ['a'],
      "export default function create(kit: Kit<'a' | 'b'>) {}\n",
      [/names "b", the manifest does not/],
    ],
    [['a'], 'export default function create() {}\n', [/requires "a", Kit<…> does not name it/]],
    [[], 'export default function create(kit: Other) {}\n', [/"Other" is no Kit/]],
    [[], 'export default function create(kit) {}\n', [/the kit of its default export has no type/]],
    [[], 'export default function create({ settings }: PureKit) {}\n', [], 'provider'],
    [
      [],
      'export default function create({ log }: Kit) {}\n',
      [/the kind "provider" gets a PureKit, not a Kit/],
      'provider',
    ],
    [
      [],
      'type Own = Pick<OutgoingKit, "clock">\nexport default function create(kit: Own) {}\n',
      [/the kind "format" gets a PureKit, not a OutgoingKit/],
      'format',
    ],
    [[], 'export function create(kit: Kit) {}\n', [/it has no default export that takes a kit/]],
  ]
  const files: Record<string, string> = {}
  for (const [index, [requires, code, , kind]] of table.entries()) {
    files[`plugins/services/p${index}/manifest.json`] = JSON.stringify({ kind, requires })
    files[`plugins/services/p${index}/index.ts`] = code
  }
  files['providers/bare/manifest.json'] = '{}'
  const { plugins, faults } = await findings(scratch(t, files), 'kits', 'findMismatches')
  t.equal(plugins, table.length + 1)
  for (const [index, [, code, wanted]] of table.entries()) {
    const own = faults.filter((fault) => fault.startsWith(`plugins/services/p${index}/`))
    t.match(own, wanted, code)
    t.equal(own.length, wanted.length, code)
  }
  t.ok(faults.includes('providers/bare/index.ts is missing.'))
})

const cited = {
  'test/spec/README.md': '# Rules\n\n- **FMT-5** A rule.\n- **RT-1** Another.\n',
  'test/FAILURES.md': '| Code | What |\n| ---- | ---- |\n| S5   | One  |\n| X12  | Two  |\n',
  'plugins/services/ledger/README.md':
    '# The ledger\n\n## 1. Units\n\n## 11. Invariants\n\n- **I1** One.\n',
  'kernel/decisions/0007-a-choice.md': '# A choice\n',
}

t.test('what is cited and is there passes, wherever it is wrapped', async (t) => {
  const { citations, faults } = await findings(
    scratch(t, {
      ...cited,
      'kernel/a.ts':
        '/**\n * Why (FMT-5, S5,\n * X12), ledger/README.md\n * section 11, decision 0007.\n */\nexport const a = 1\n',
      'test/a.test.ts': "t.test('[RT-1] a rule (I1)', () => {})\n",
      'kernel/README.md':
        '[rules](../test/spec/README.md#rules) and `kernel/a.ts`, ([decision\n7](decisions/0007-a-choice.md))\n' +
        "\n```ts\n// `kernel/not-there.ts`\nimport { a } from '../../kernel/a.js'\n```\n",
    }),
    'citations',
    'findDeadCitations',
  )
  t.strictSame(faults, [])
  // Two of them are in the page of rules itself.
  t.equal(citations, 14)
})

t.test('each citation that leads nowhere is found', async (t) => {
  const table: readonly (readonly [path: string, text: string, cited: string])[] = [
    ['kernel/a.ts', '/** A rule (FMT-6). */\n', 'FMT-6'],
    ['test/b.test.ts', "t.test('[FTM-5] a rule', () => {})\n", 'FTM-5'],
    ['kernel/c.ts', '/** A failure (S5, S6). */\n', 'S6'],
    ['plugins/d.ts', '// An invariant (I2).\n', 'I2'],
    ['kernel/e.sql', '-- As of decision 8.\n', 'decision 8'],
    ['kernel/f.ts', '/** Both of decisions 7 and 9. */\n', 'decision 9'],
    ['kernel/g.ts', '/** As design.md says. */\n', 'design.md'],
    ['kernel/h.ts', '/** See ledger/README.md section 2. */\n', 'ledger/README.md section 2'],
    ['kernel/n.ts', '/** Beside kernel/gone.ts. */\n', 'kernel/gone.ts'],
    ['kernel/i.md', '[a page](gone.md)\n', 'gone.md'],
    ['kernel/j.md', '[a heading](../test/spec/README.md#gone)\n', '../test/spec/README.md#gone'],
    ['kernel/k.md', 'In `kernel/gone.ts`.\n', 'kernel/gone.ts'],
    ['kernel/l.md', "```ts\nimport { a } from '../kernel/gone.js'\n```\n", 'kernel/gone.js'],
    ['console/m.vue', '<!-- none --><script>/** Gone (X1). */</script>\n', 'X1'],
  ]
  const files = Object.fromEntries(table.map(([path, text]) => [path, text]))
  const { faults } = await findings(
    scratch(t, { ...cited, ...files }),
    'citations',
    'findDeadCitations',
  )
  for (const [path, text, name] of table) {
    t.ok(faults.includes(`${path} cites ${name}, which is not in the project.`), text)
  }
  t.equal(faults.length, table.length, faults.join('\n'))
})

t.test('a table is written by its owner alone, whatever the write looks like', async (t) => {
  const owners = {
    users: { owner: 'plugins/services/identity' },
    facts: { owner: 'kernel', also: { 'plugins/services/a': 'A.', 'plugins/services/b': 'B.' } },
  }
  const writes = (code: string) =>
    `import type { Knex } from 'knex'\nexport const run = async (trx: Knex) => {\n  ${code}\n}\n`
  const project = scratch(t, {
    'config/checks/table-owners.json': JSON.stringify(owners),
    'plugins/services/identity/index.ts': writes("await trx('users').where({ id: 1 }).update({})"),
    'plugins/services/a/index.ts': writes("await trx('facts').insert({}).onConflict().ignore()"),
    'plugins/services/chain/index.ts': writes("await trx('users').where({ id: 1 }).delete()"),
    'plugins/services/constant/index.ts': writes(
      "const found = trx('users').where({ id: 1 })\n  await found.whereNot('id', 2).update({})",
    ),
    'plugins/services/row.ts':
      "import { Model } from 'objection'\nexport class Row extends Model {\n  static override tableName = 'users'\n}\n",
    'plugins/services/model/index.ts': writes('await Row.query(trx).findById(1).patch({})'),
    'plugins/services/sql/index.ts': writes("await trx.raw('DELETE FROM users WHERE id = 1')"),
    'plugins/services/reader/index.ts': writes("await trx('users').where({ id: 1 }).first()"),
    'plugins/services/hash/index.ts':
      "import { createHash } from 'node:crypto'\nexport const run = () => createHash('users').update('a')\n",
    'plugins/services/stray/index.ts': writes("await trx('nobodys').insert({})"),
  })
  const { faults } = await findings(project, 'tables', 'findStrangeWrites')
  t.strictSame(faults.toSorted(), [
    'config/checks/table-owners.json allows facts plugins/services/b, and nothing needs it.',
    ...['chain/index.ts:3', 'constant/index.ts:4', 'model/index.ts:3', 'sql/index.ts:3'].map(
      (place) =>
        `plugins/services/${place} writes users, which belongs to plugins/services/identity.`,
    ),
    'plugins/services/stray/index.ts:3 writes nobodys, a table without an owner.',
  ])
})
