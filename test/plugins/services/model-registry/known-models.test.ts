/** The table of known models: what its lines must be, and how a name finds its line. */
import t from 'tap'
import {
  capabilities,
  modalities,
  modelKinds,
} from '../../../../kernel/toolkit/management/index.js'
import { finderIn, readTable } from '../../../../plugins/services/model-registry/known-models.js'
import { mergedFacts } from '../../../../plugins/services/model-registry/merged-facts.js'
import {
  defaultModelPrices,
  listPrices,
} from '../../../../plugins/services/pricing/default-prices.js'

const table = readTable()
const find = finderIn(table)
const fields = [
  ...['names', 'vendor', 'kind', 'context', 'max_output', 'input', 'output', 'can', 'cannot'],
  ...['source', 'date'],
]

t.test('each line of the table is whole: known words, a source, a day that was', async (t) => {
  t.ok(table.models.length >= 150)
  const names = new Set<string>()
  for (const line of table.models) {
    const [first] = line.names
    t.ok(first, 'it has a name')
    for (const name of line.names) {
      t.equal(name, name.trim().toLowerCase(), `${name} is written small`)
      t.notOk(names.has(name), `${name} stands once`)
      names.add(name)
    }
    t.ok(table.vendors[line.vendor], `${first}: ${line.vendor} is a vendor`)
    t.ok(modelKinds.includes(line.kind), `${first}: ${line.kind} is a kind`)
    for (const word of [...(line.input ?? []), ...(line.output ?? [])])
      t.ok(modalities.includes(word))
    const can = [...(line.can ?? []), ...(line.cannot ?? [])]
    for (const word of can) t.ok(capabilities.includes(word))
    t.equal(new Set(can).size, can.length, `${first} can or cannot`)
    for (const size of [line.context, line.max_output]) t.ok(size === undefined || size > 0)
    t.equal(new URL(line.source).protocol, 'https:', `${first} has a source`)
    t.equal(new Date(line.date).toISOString().slice(0, 10), line.date, `${first} has a day`)
    t.ok(line.date >= '2023-01-01' && Date.parse(line.date) <= Date.now() + 86_400_000 * 400)
    const known = Object.keys(line).filter((field) => !fields.includes(field))
    t.strictSame(known, [], `${first} has no other fields`)
  }
  for (const { url } of Object.values(table.vendors)) t.equal(new URL(url).protocol, 'https:')
})

t.test('every model that has a price from the start is known', async (t) => {
  const priced = [...listPrices.flatMap(({ models }) => models), ...Object.keys(defaultModelPrices)]
  t.strictSame(
    priced.filter((name) => find(name) === undefined),
    [],
  )
})

t.test('a name finds its line as it is written, by a date, and as others call it', async (t) => {
  const context = (name: string) => find(name)?.about.context_length
  t.equal(context('gpt-4o'), 128_000)
  t.equal(find('gpt-4o-2024-11-20'), find('gpt-4o'))
  t.equal(find('gpt-4o-2024-05-13')?.about.max_output, 4_096, 'a whole name goes before a pattern')
  t.equal(find('openai/gpt-4o'), find('gpt-4o'))
  t.equal(find('GPT-4o'), find('gpt-4o'))
  t.equal(find('deepseek/deepseek-r1:free'), find('deepseek-r1'))
  t.equal(find('us.anthropic.claude-opus-4-5-20251101-v1:0'), find('claude-opus-4-5'))
  t.equal(find('eu.amazon.nova-pro-v1:0')?.vendor.id, 'amazon')
  t.equal(find('black-forest-labs/FLUX.1-schnell')?.vendor.name, 'Black Forest Labs')
  t.equal(find('claude-opus-4-5@20251101'), find('claude-opus-4-5'))
  for (const name of ['gpt-4o-mine', 'my-gpt-4o', '', '/', 'constructor', 'gpt-4o-']) {
    t.equal(find(name), undefined, `${name} is unknown`)
  }
})

t.test('what an admin set goes before the table, field by field', async (t) => {
  const entry = {
    ...{ id: 1, modelName: 'gpt-4o', rule: 'exact' as const, description: '', icon: '', tags: '' },
    ...{ enabled: true, about: { context_length: 64_000, capabilities: { tools: false } } },
  } as const
  const vendor = { id: 1, name: 'Mine', description: '', icon: '', enabled: true }
  const known = find('gpt-4o')
  const merged = mergedFacts({ entry, vendor }, known)
  t.match(merged.about, {
    ...{ context_length: 64_000, max_output: 16_384, kind: 'chat' },
    capabilities: { tools: false, structured_output: true, reasoning: false },
  })
  t.strictSame(merged.byAdmin, ['vendor', 'context_length', 'capabilities'])
  t.equal(merged.vendor?.name, 'Mine')
  t.equal(mergedFacts({ entry, vendor: undefined }, known).vendor?.name, 'OpenAI')
  const nothing = mergedFacts({}, undefined)
  t.strictSame(nothing.about, {})
  t.equal(nothing.vendor, undefined, 'unknown is not a no')
})
