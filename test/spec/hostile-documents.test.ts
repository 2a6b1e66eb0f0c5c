/**
 * What an admin may write and search for, with everything in it that should not be (X5 to X8, P13): each is
 * refused in one sentence that names the field, nothing is saved, and nobody else waits for it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import joi from 'joi'
import t from 'tap'
import { described } from '../../plugins/management/openapi/document/described.js'
import { pathForms } from '../../plugins/management/openapi/document/path-form.js'
import { startGateway } from '../kit/gateway.js'
import { stillDatabase } from './whole-database.js'

// A thousand documents, some of them large.
t.setTimeout(360_000)

const { url, admin, gateway } = await startGateway(t, { funds: 0 })
const { knex } = gateway.service('database')
const signedIn = await fetch(`${url}/api/user/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'root', password: 'correct horse battery' }),
})
const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!

const plain = { type: 1, key: 'upstream-key', base_url: 'http://127.0.0.1:9' }
const channel = await admin.channel({ ...plain, name: 'plain', models: 'gpt-4o-mini', tag: 'tag' })
const { id: token } = await admin.token()
const { id: model } = await admin.must('POST', '/api/models/', { model_name: 'gpt-4o-mini' })
const { id: vendor } = await admin.must('POST', '/api/vendors/', { name: 'maker' })
const lists = { name: 'list', type: 'endpoint', items: ['openai'] }
const { id: list } = await admin.must('POST', '/api/prefill_group/', lists)
await admin.must('POST', '/api/auto_route/', { key: 'route', groups: ['default'] })
const ada = { username: 'ada', password: 'correct horse battery' }
const { id: user } = await admin.must('POST', '/api/user/', ada)

interface Outcome {
  readonly status: number
  readonly text: string
  /** Longest time in which nothing else had its turn. */
  readonly stallMs: number
}

/** The body goes out as it is written. */
async function send(method: string, path: string, body?: string): Promise<Outcome> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const headers = { cookie, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, body })
  const text = await answer.text()
  delay.disable()
  return { status: answer.status, text, stallMs: delay.max / 1e6 }
}

const stallMsMax = 300

/** A machine that is busy elsewhere is not so each of six times. */
async function sendPatiently(method: string, path: string, body: string): Promise<Outcome> {
  let result = await send(method, path, body)
  for (let again = 0; again < 5 && result.stallMs > stallMsMax; again += 1) {
    result = await send(method, path, body)
  }
  return result
}

/** What is wrong with the answer; undefined: it is a refusal as it should be. */
function faultOf({ status, text, stallMs }: Outcome): string | undefined {
  const { success, message, data, field } = JSON.parse(text)
  // Larger than anything the path takes, or more of something than any JSON may hold.
  const expected = /^The request body (is larger|holds (a key of )?too many)/.test(message)
    ? 413
    : 400
  if (status !== expected || success !== false || data !== null)
    return `answered ${status}: ${text}`
  if (typeof message !== 'string' || !/^[^\n]{5,700}[.…]$/s.test(message)) return `returned ${text}`
  // What is wrong with the JSON of the body itself is named by its key, where it has one.
  if (field === undefined && !/^The request body /.test(message)) return `names no field: ${text}`
  return stallMs > stallMsMax ? `held everybody up for ${Math.round(stallMs)} ms` : undefined
}

const mebibyte = 'x'.repeat(1024 * 1024)
const many = Array.from({ length: 60_000 }, (_, at) => `"k${at}"`)

/** JSON as it is written. */
const inAnyDocument: Readonly<Record<string, string>> = {
  'a prototype': '{"__proto__":{"a":1}}',
  'a prototype further in': '{"a":{"b":{"__proto__":{"c":1}}}}',
  'a constructor': '{"constructor":{"prototype":{"a":1}}}',
  'objects 70 deep': `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
  'lists 100,000 deep': `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a number without end': '{"a":1e400}',
  'a number without beginning': '{"a":-1e400}',
  'a number too long to keep': '{"a":9007199254740993}',
  'a key twice': '{"a":1,"a":2}',
  'a key twice in two spellings': '{"a":1,"\\u0061":2}',
  'a key twice further in': '{"a":{"b":1,"b":2}}',
  NUL: '{"a":"\\u0000"}',
  'NUL in a key': '{"\\u0000":1}',
  'half a character': '{"a":"\\ud800"}',
  'half a character in a key': '{"\\udfff":1}',
  'a text of 1 MiB': `{"a":"${mebibyte}"}`,
  'a key of 1 MiB': `{"${mebibyte}":1}`,
  '60,000 keys': `{${many.map((key) => `${key}:1`).join(',')}}`,
  'the wrong scalar': '7',
  'a truth': 'true',
  'a bare word': '"x"',
}

const inPlaceOfAnObject: Readonly<Record<string, string>> = {
  ...inAnyDocument,
  'no object but null': 'null',
  'a list': '["a"]',
  'an empty list': '[]',
}

const inPlaceOfAList: Readonly<Record<string, string>> = {
  'an object': '{"a":1}',
  'an object of a list': '{"0":"a","length":1}',
  'a prototype': '{"__proto__":["a"]}',
  'a list of lists': '[["a"]]',
  'a list of numbers': '[1]',
  'a list of nothing': '[null]',
  'half a character': '["\\ud800"]',
  NUL: '["\\u0000"]',
  'a mark of direction': '["\\u202ea"]',
  'a text of 1 MiB': `["${mebibyte}"]`,
  '60,000 entries that are nothing': `[${many.join(',')}]`,
  'lists 100,000 deep': `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`,
}

interface Place {
  readonly method: string
  readonly path: string
  /** Members of the body before this one. */
  readonly before: object
  readonly field: string
  /** Refused elsewhere or taken on purpose. */
  readonly except?: readonly string[]
}

const within =
  (method: string, path: string, before: object) =>
  (field: string, except?: readonly string[]): Place => ({ method, path, before, field, except })

const ofChannel = within('PUT', '/api/channel/', { id: channel })
const ofTag = within('PUT', '/api/channel/tag', { tag: 'tag' })
const ofToken = within('PUT', '/api/token/', { id: token })
const ofModel = within('PUT', '/api/models/', { id: model })
const ofVendor = within('PUT', '/api/vendors/', { id: vendor })
const ofList = within('PUT', '/api/prefill_group/', { id: list })
const ofRoute = within('PUT', '/api/auto_route/', { key: 'route' })
const ofGroup = within('PUT', '/api/group/', { name: 'default', ratio: 1 })
const ofUser = within('PUT', '/api/user/', { id: user })
const ofDraft = within('POST', '/api/channel/fetch_models', { type: 1, key: 'k' })
const ofPrices = within('PUT', '/api/prices/', {})
const ofOption = (key: string, except?: readonly string[]): Place =>
  within('PUT', '/api/option/', { key })('value', except)

function bodyWith({ before, field }: Place, value: string): string {
  const members = Object.entries(before).map(([name, one]) => `"${name}":${JSON.stringify(one)}`)
  return `{${[...members, `"${field}":${value}`].join(',')}}`
}

/** Stays as it is: what is null was not sent. */
const nullIsAbsent = ['no object but null']

const objects: Readonly<Record<string, Place>> = {
  param_override: ofChannel('param_override'),
  header_override: ofChannel('header_override'),
  model_mapping: ofChannel('model_mapping'),
  status_code_mapping: ofChannel('status_code_mapping'),
  setting: ofChannel('setting'),
  settings: ofChannel('settings'),
  'param_override of a tag': ofTag('param_override', nullIsAbsent),
  'header_override of a tag': ofTag('header_override', nullIsAbsent),
  'model_mapping of a tag': ofTag('model_mapping', nullIsAbsent),
  'settings of a draft': ofDraft('settings'),
  'routing policy': ofToken('routing'),
  'price changes': ofPrices('changes'),
  'items of a list': ofList('items', ['a list', 'an empty list']),
  'endpoints of a model': ofModel('endpoints', ['a list', 'an empty list']),
  ModelRatio: ofOption('ModelRatio'),
  GroupRatio: ofOption('GroupRatio'),
  'tool prices': ofOption('tool_price_setting.prices'),
  'special groups': ofOption('group_ratio_setting.group_special_usable_group'),
  'limits of groups': ofOption('ModelRequestRateLimitGroup'),
  'limits of users': ofOption('ModelRequestRateLimitUser'),
}

const listed: Readonly<Record<string, Place>> = {
  'affinity rules': ofOption('channel_affinity_setting.rules'),
  FreeModels: ofOption('FreeModels', ['60,000 entries that are nothing']),
  'models of a channel': ofChannel('models'),
  'groups of a channel': ofChannel('group'),
  'models of a tag': ofTag('models'),
  'models of a key': ofToken('model_limits'),
  'addresses of a key': ofToken('allow_ips'),
  'groups of a route': ofRoute('groups'),
}

async function faultsOf(
  places: Readonly<Record<string, Place>>,
  values: Readonly<Record<string, string>>,
  forms: readonly ((written: string) => string)[],
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [name, place] of Object.entries(places)) {
    for (const [kind, written] of Object.entries(values)) {
      if (place.except?.includes(kind)) continue
      for (const form of forms) {
        const body = bodyWith(place, form(written))
        const fault = faultOf(await sendPatiently(place.method, place.path, body))
        if (fault !== undefined) wrong.push(`${name}, ${kind}: ${fault.slice(0, 300)}`)
      }
    }
  }
  return wrong
}

const asValue = (written: string) => written
const asText = (written: string) => JSON.stringify(written)

t.test('a document that is hostile, as a value or as its text, is refused by name', async (t) => {
  const before = await stillDatabase(knex)
  t.strictSame(await faultsOf(objects, inPlaceOfAnObject, [asValue, asText]), [])
  t.strictSame(await stillDatabase(knex), before)
})

t.test('a list that is hostile is refused by name', async (t) => {
  const before = await stillDatabase(knex)
  t.strictSame(await faultsOf(listed, inPlaceOfAList, [asValue]), [])
  t.strictSame(await stillDatabase(knex), before)
})

const inAnyText: Readonly<Record<string, string>> = {
  NUL: '"a\\u0000b"',
  'a line break': '"a\\nb"',
  'half a character': '"a\\ud83d"',
  'a mark of direction': '"\\u202egpt"',
  'an isolate': '"\\u2066gpt"',
  'a blank without width': '"gp\\u200bt"',
  'a mark of byte order': '"gp\\ufefft"',
  'another end of line': '"a\\u2028b"',
  '1 MiB': `"${mebibyte}"`,
  '1 MiB of controls': `"${'\\u0001'.repeat(200_000)}"`,
  'a number': '7',
  'a truth': 'true',
  'a list': '["a"]',
  'an object': '{"a":"b"}',
}

const texts: Readonly<Record<string, Place>> = {
  'name of a channel': ofChannel('name'),
  'tag of a channel': ofChannel('tag'),
  'remark of a channel': ofChannel('remark'),
  'test model': ofChannel('test_model'),
  organisation: ofChannel('openai_organization'),
  address: ofChannel('base_url'),
  'new tag': ofTag('new_tag'),
  'name of a key': ofToken('name'),
  'group of a key': ofToken('group'),
  'name of a model': ofModel('model_name'),
  'tags of a model': ofModel('tags'),
  'icon of a model': ofModel('icon'),
  'name of a vendor': ofVendor('name'),
  'icon of a vendor': ofVendor('icon'),
  'name of a list': ofList('name'),
  'description of a list': ofList('description'),
  'name of a route': ofRoute('display_name'),
  'key of a route': within('POST', '/api/auto_route/', { groups: ['default'] })('key'),
  'name of a group': within('PUT', '/api/group/', { ratio: 1 })('name'),
  'description of a group': ofGroup('desc'),
  'name of a user': ofUser('username'),
  'shown name of a user': ofUser('display_name'),
  'remark of a user': ofUser('remark'),
  'group of a user': ofUser('group'),
  'remark of a movement': within('POST', '/api/user/manage', {
    id: user,
    action: 'add_quota',
    mode: 'add',
    value: 1,
  })('remark'),
}

t.test('a name that cannot be seen, or kept as it is, is refused by name', async (t) => {
  const before = await stillDatabase(knex)
  t.strictSame(await faultsOf(texts, inAnyText, [asValue]), [])
  t.strictSame(await stillDatabase(knex), before)
})

t.test('names people do write are taken', async (t) => {
  for (const name of ['مفتاح', 'می‌خواهم', '鍵', '👩‍👩‍👧 family', 'e\u0301', 'O’Neill & Söhne']) {
    const { status } = await send('PUT', '/api/token/', JSON.stringify({ id: token, name }))
    t.equal(status, 200, name)
  }
})

t.test('no query and no path is a fault of the gateway', async (t) => {
  const values = ['%00', '%ff%fe', '99999999999999999999']
  const shapes = ['[]=x', '[__proto__]=x', '=1&{}=2', '=%ed%a0%80']
  const gets = gateway
    .service('catalog')
    .routes()
    .filter(({ management, declared }) => management !== undefined && declared.method === 'GET')
    // The one that ends the session it is requested with.
    .filter(({ declared }) => !declared.path.endsWith('/logout'))
  const wrong: string[] = []
  for (const { management, declared } of gets) {
    const keys = described(management?.query ?? joi.object()).keys ?? {}
    const names = [...Object.keys(keys), '__proto__']
    const form = pathForms(declared.path)[0]?.path ?? declared.path
    const queries = names.flatMap((name) => values.map((value) => `${name}=${value}`))
    queries.push(...shapes.map((shape) => `${names[0]}${shape.replace('{}', names[0]!)}`))
    const addresses = [
      ...values.map((value) => form.replace(/\{\w+\}/g, value)),
      ...queries.map((query) => `${form.replace(/\{\w+\}/g, '1')}?${query}`),
    ]
    const results = await Promise.all(addresses.map((address) => send('GET', address)))
    results.forEach(({ status }, at) => {
      if (status === 500) wrong.push(`${addresses[at]}: ${status}`)
    })
  }
  t.strictSame(wrong, [])
})

/** Names that a pattern would confuse. */
const confusing = ['50%off', '50_off', '50\\off', '50xoff']

t.test('signs of patterns stand for themselves in every search', async (t) => {
  for (const name of confusing) {
    await admin.channel({ ...plain, name, models: name, tag: name })
    await admin.token({ name })
    await admin.must('POST', '/api/vendors/', { name })
    await admin.must('POST', '/api/models/', { model_name: name })
  }
  await admin.option('ModelRatio', Object.fromEntries(confusing.map((name) => [name, 1])))
  for (const username of ['a_b', 'axb', 'a.b']) {
    const { id } = await admin.must('POST', '/api/user/', { ...ada, username })
    await admin.credit(id, 5)
  }
  await gateway.idle()
  const searches = {
    '/api/channel/search?keyword=': 'name',
    '/api/channel/?keyword=': 'name',
    '/api/channel/?tag=50': 'none',
    '/api/token/search?keyword=': 'name',
    '/api/vendors/search?keyword=': 'name',
    '/api/models/search?keyword=': 'model_name',
    '/api/prices/?keyword=': 'model',
  }
  for (const [path, field] of Object.entries(searches)) {
    for (const sign of ['%', '_', '\\']) {
      const { items } = await admin.must('GET', `${path}${encodeURIComponent(sign)}`)
      const wanted = field === 'none' ? [] : [`50${sign}off`]
      t.strictSame(
        items.map((item: Record<string, unknown>) => item[field]),
        wanted,
        `${path}${sign}`,
      )
    }
  }
  for (const [path, field] of [
    ['/api/user/search?keyword=a_', 'username'],
    ['/api/log/?username=a_b', 'username'],
  ] as const) {
    const { items } = await admin.must('GET', path)
    t.strictSame(
      items.map((item: Record<string, unknown>) => item[field]),
      ['a_b'],
      path,
    )
  }
  // A percent sign at the end of a model's name is the family's own, and means what begins so.
  for (const query of ['token_name=%25', 'group=%25', 'username=%25', 'model_name=_%25']) {
    t.equal((await admin.must('GET', `/api/log/?${query}`)).total, 0, query)
  }
  t.strictSame(await admin.must('GET', '/api/log/search?keyword=%25'), [])
})
