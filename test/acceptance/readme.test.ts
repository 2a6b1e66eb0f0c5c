/** What README.md and the guides of the operator say, against a gateway: paths, options with their defaults, calls. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { variables } from '../../config/variables.js'
import { boot } from '../../kernel/boot.js'
import { order } from '../../plugins/stages/line.js'
import { testDatabase } from '../kit/database.js'
import { quietLog } from '../kit/fakes.js'
import { defaultEnvironment, startGateway } from '../kit/gateway.js'
import { events, scriptedUpstream } from '../kit/upstream.js'

const root = new URL('../../../', import.meta.url)
const page = (path: string) => readFileSync(new URL(path, root), 'utf8')
const readme = page('README.md')
const routing = page('plugins/services/routing/README.md')
const variablesPage = page('config/README.md')

/** Everything written for operators. */
const pages = [
  readme,
  routing,
  variablesPage,
  page('config/TROUBLESHOOTING.md'),
  page('plugins/management/README.md'),
  page('plugins/notifiers/README.md'),
  page('plugins/oauth/README.md'),
  page('plugins/services/health/README.md'),
  page('plugins/services/identity/README.md'),
  page('plugins/services/rate-limits/README.md'),
].join('\n')

const { admin, gateway } = await startGateway(t)

/** What the model of the first request states. */
const answer = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi there' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } },
].map(
  (chunk) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...chunk })}\n\n`,
)
answer.push('data: [DONE]\n\n')

/** Cells of the tables' rows whose first cell is a name in code. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+) \|(.+)\|$/gm)].map(([, first, rest]) => ({
    names: [...first!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    cells: rest!.split('|').map((cell) => cell.trim()),
  }))

t.test('every path stands in the route table', async (t) => {
  const routes = gateway.service('catalog').routes()
  const served = routes.map(({ declared }) => segmentsOf(declared.path))
  const result = pages.match(/(?<!services|console|\.\.)\/(?:api|health)\b[a-z0-9_./{}-]*/g)!
  t.ok(result.length > 80)
  for (const path of new Set(result)) {
    const segments = segmentsOf(path)
    const isBeginOf = (route: readonly string[]) =>
      segments.every((segment, at) => stands(segment, route[at]))
    t.ok(served.some(isBeginOf), path)
  }
})

t.test('every option has the default it is reported with', async (t) => {
  const options: { key: string; value: string }[] = await admin.must('GET', '/api/option/')
  const stored = new Map(options.map(({ key, value }) => [key, value]))
  const results = rowsOf(pages).flatMap(({ names, cells: [text = ''] }) => {
    const values = names.length > 1 ? text.split(', ') : [text]
    return names.map((name, at) => ({ key: whole(name, names[0]!), value: values[at] ?? text }))
  })
  const known = results.filter(({ key }) => stored.has(key))
  t.equal(known.length, 38)
  for (const { key, value } of known) {
    if (!/^(phrases|list)\b/.test(value)) t.equal(stored.get(key), value, key)
  }
})

t.test('every variable of the environment is reported as --help tells it', async (t) => {
  const rows = rowsOf(variablesPage)
  for (const { name, defaultText, meaning } of variables) {
    const row = rows.find(({ names }) => names[0] === name)
    t.equal(row?.cells[0], defaultText, name)
    t.equal(row?.cells[1], meaning, name)
  }
})

t.test('the first request works as it stands there', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(events(...answer))
  const fresh = await boot({
    environment: defaultEnvironment,
    roots: builtInRoots,
    order,
    core,
    log: quietLog,
    version: 'v0.0.0',
    database: await testDatabase(t),
  })
  t.teardown(() => fresh.stop())
  const begin = readme.indexOf('```sh', readme.indexOf('## First request')) + 5
  const [, ...steps] = readme
    .slice(begin, readme.indexOf('```', begin))
    .replaceAll('localhost:3000', fresh.address)
    .replace('the-code-it-printed', fresh.service('setup').code()!)
    .replace('"type":1,', `"type":1,"base_url":"${upstream.url}",`)
    .split(/^# \d\. .*\n/m)
  t.equal(steps.length, 6)
  const cwd = t.testdir()
  const run = (...scripts: readonly string[]) =>
    promisify(execFile)('sh', ['-ec', scripts.join('')], { cwd }).then(({ stdout }) => stdout)

  const made = await run(...steps.slice(0, 4))
  t.equal(made.match(/"success":true/g)?.length, 4, made)
  const [, key = ''] = /"key":"(sk-\w+)"/.exec(made)!
  t.match(await run(steps[4]!.replace('sk-the-key-of-step-4', key)), 'Hi there')
  await fresh.idle()
  const left = await run(steps[5]!)
  t.match(left, '"model_name":"gpt-4o-mini"')
  const [, quota] = /"group":"default","quota":(\d+)/.exec(left)!
  t.ok(Number(quota) < 5_000_000 && Number(quota) > 4_990_000, left)
})

t.test('the calls about groups, channels and policies do what they say', async (t) => {
  await admin.channel({ type: 1, name: 'OpenAI', key: 'sk-upstream', models: 'gpt-4o-mini' })
  const [, put] = routing.match(/-X PUT \S+\/api\/group\/.+\\\n\s+-d '(.+)'/)!
  await admin.must('PUT', '/api/group/', JSON.parse(put!))
  const calls = [...routing.matchAll(/^post (\S+) '(\{[^']*\})'/gm)]
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

/** Without the full stop or the slash a path is followed by. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/[/.]+$/, '').split('/')
}

/** A number may stand in the place of a parameter. */
function stands(message: string, declared: string | undefined): boolean {
  return message === declared || (/^\{/.test(declared ?? '') && /^(\d+|\{.+\})$/.test(message))
}
