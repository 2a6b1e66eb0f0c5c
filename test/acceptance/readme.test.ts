/** What README.md tells an operator, against a gateway: its paths, its options with their defaults, its calls. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { variables } from '../../config/variables.js'
import { startGateway } from '../kit/gateway.js'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const { admin, gateway } = await startGateway(t)

/** Cells of the tables' rows whose first cell is a name in code. */
const rows = [...readme.matchAll(/^\| (`[^|]+) \|(.+)\|$/gm)].map(([, first, rest]) => ({
  names: [...first!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  cells: rest!.split('|').map((cell) => cell.trim()),
}))

t.test('every path stands in the route table', async (t) => {
  const routes = gateway.service('catalog').routes()
  const served = routes.map(({ declared }) => declared.path.replace(/\/$/, ''))
  const told = readme
    .match(/\/(?:api|health)\b[a-z_./]*/g)!
    .map((path) => path.replace(/[/.]+$/, ''))
  t.ok(told.length > 40)
  for (const path of new Set(told)) {
    t.ok(
      served.some((one) => one === path || one.startsWith(`${path}/`)),
      path,
    )
  }
})

t.test('every option has the default it is told with', async (t) => {
  const options: { key: string; value: string }[] = await admin.must('GET', '/api/option/')
  const stored = new Map(options.map(({ key, value }) => [key, value]))
  const told = rows.flatMap(({ names, cells: [text = ''] }) => {
    const values = names.length > 1 ? text.split(', ') : [text]
    return names.map((name, at) => ({ key: whole(name, names[0]!), value: values[at] ?? text }))
  })
  const known = told.filter(({ key }) => stored.has(key))
  t.equal(known.length, 26)
  for (const { key, value } of known) {
    if (!value.startsWith('phrases')) t.equal(stored.get(key), value, key)
  }
})

t.test('every variable of the environment is told as --help tells it', async (t) => {
  for (const { name, meaning } of variables) {
    const row = rows.find(({ names }) => names[0] === name)
    t.equal(row?.cells[1], meaning, name)
  }
})

t.test('the calls about groups, channels and policies do what they say', async (t) => {
  await admin.channel({ type: 1, name: 'OpenAI', key: 'sk-upstream', models: 'gpt-4o-mini' })
  const [, put] = readme.match(/-X PUT \S+\/api\/group\/.+\\\n\s+-d '(.+)'/)!
  await admin.must('PUT', '/api/group/', JSON.parse(put!))
  const begin = readme.indexOf('## Where a request goes')
  const part = readme.slice(begin, readme.indexOf('## How channels heal'))
  const calls = [...part.matchAll(/^post (\S+) '(\{[^']*\})'/gm)]
  t.equal(calls.length, 4)
  for (const [, path, body] of calls) await admin.must('POST', path!, JSON.parse(body!))
  const { items } = await admin.must('GET', '/api/token/')
  t.match(items.slice(0, 2), [
    { name: 'smart', routing: { mode: 'smart', auto_route: 'steady' } },
    { name: 'manual', routing: { mode: 'manual', groups: ['default', 'backup'] } },
  ])
})

/** `.outcomes` behind `breaker_setting.failures`, `…SuccessCount` behind `ModelRequestRateLimitCount`. */
function whole(name: string, first: string): string {
  if (name.startsWith('.')) return first.replace(/\.[^.]+$/, name)
  return name.replace('…', 'ModelRequestRateLimit')
}
