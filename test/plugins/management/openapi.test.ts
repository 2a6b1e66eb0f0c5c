/** `GET /api/openapi.json` of a whole gateway: sound as a document, true to its routes, and cut to the caller's role. */
import t from 'tap'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { describeRoute } from '../../../plugins/management/openapi/document/document.js'
import { NamedSchemas } from '../../../plugins/management/openapi/document/named-schemas.js'
import { pathForms } from '../../../plugins/management/openapi/document/path-form.js'
import { fits } from '../../kernel/http/openapi-validator.js'
import { startGateway } from '../../kit/gateway.js'
import { management, root } from '../../kit/management.js'

const { url, admin, gateway } = await startGateway(t)
const routes = gateway.service('catalog').routes()

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly JsonObject[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonObject }>> }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: JsonObject
  readonly description?: string
}

interface Document extends JsonObject {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation & JsonObject>>>>
  readonly components: { readonly securitySchemes: JsonObject }
}

const read = async (client: typeof admin) =>
  (await client.call('GET', '/api/openapi.json')).body as unknown as Document

const whole = await read(admin)
const operations = Object.entries(whole.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

t.test('the document is OpenAPI 3.1 and names the version of the gateway', async (t) => {
  t.match(whole, { openapi: '3.1.0', info: { title: 'Waybill', version: 'v0.0.0' } })
  t.match(Object.keys(whole.paths), [/^\//])
})

t.test('every route is in it, at every form of its path', async (t) => {
  const served = routes.filter(({ declared, endpoint }) => {
    return endpoint === undefined || declared.credential !== 'none'
  })
  t.ok(served.length > 60)
  const expected = served.flatMap(({ declared }) =>
    pathForms(declared.path).map(({ path }) => `${declared.method.toLowerCase()} ${path}`),
  )
  const results = operations.map(({ path, method }) => `${method} ${path}`)
  t.strictSame([...results].sort(), [...expected].sort())
})

t.test('operation ids are unique; tags and ways to sign in are declared', async (t) => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.strictSame(twice(ids), [])
  const tags = whole.tags.map(({ name }) => name)
  t.strictSame(twice(tags), [])
  const schemes = Object.keys(whole.components.securitySchemes)
  for (const { operation } of operations) {
    const unknownTags = operation.tags.filter((tag) => !tags.includes(tag))
    const names = operation.security.flatMap((one) => Object.keys(one))
    const unknownSchemes = names.filter((name) => !schemes.includes(name))
    t.strictSame([unknownTags, unknownSchemes], [[], []], operation.operationId)
  }
})

t.test('no name of a schema stands for two forms', async (t) => {
  const named = new NamedSchemas()
  for (const route of routes) describeRoute(route, named)
  t.strictSame(named.clashes, [])
})

t.test('no two paths are the same but for the names of their parameters', async (t) => {
  t.strictSame(twice(Object.keys(whole.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))), [])
})

t.test('parameters are named once, and those of a path are all there', async (t) => {
  for (const { path, operation } of operations) {
    const { operationId, parameters = [] } = operation
    t.strictSame(twice(parameters.map((one) => `${one.in} ${one.name}`)), [], operationId)
    const inPath = parameters.filter((one) => one.in === 'path')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    t.strictSame(
      inPath.map(({ name }) => name),
      named,
      operationId,
    )
    t.ok(
      inPath.every((one) => (one as { required?: boolean }).required === true),
      operationId,
    )
  }
})

t.test('every reference leads somewhere', async (t) => {
  const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  t.ok(references.length > 0)
  const lost = references.filter(([, path = '']) => {
    return path.split('/').reduce<Json | undefined>(within, whole) === undefined
  })
  t.strictSame(lost, [])
})

t.test('every field states what it takes: by its type, or in words', async (t) => {
  t.strictSame(
    operations.flatMap(({ path, method, operation }) => {
      const { parameters = [], requestBody } = operation
      const bodies = Object.values(requestBody?.content ?? {})
      return [
        ...parameters.flatMap(({ name, schema, description }) =>
          silent({ ...schema, description }, `?${name}`),
        ),
        ...bodies.flatMap(({ schema }) => silent(schema, '')),
      ].map((field) => `${method} ${path} ${field}`)
    }),
    [],
  )
})

interface Trip {
  readonly path: string
  readonly method: 'post' | 'put'
  readonly taken: readonly JsonObject[]
  readonly refused: readonly JsonObject[]
}

const user = { username: 'ada', password: 'correct horse' }
const channel = { type: 1, name: 'one', key: 'k', models: 'a,b' }
const trips: readonly Trip[] = [
  {
    path: '/api/user/login',
    method: 'post',
    taken: [user, { ...user, unknown: 1 }],
    refused: [{ username: 'ada' }, { ...user, password: '' }, { ...user, username: '\u0007' }],
  },
  {
    path: '/api/user',
    method: 'post',
    taken: [user, { ...user, role: 10, display_name: '' }],
    refused: [
      { ...user, role: 100 },
      { ...user, username: 'a b' },
      { ...user, password: 'short' },
    ],
  },
  {
    path: '/api/user',
    method: 'put',
    taken: [
      { id: 1, password: '' },
      { id: 1, password: 'long enough', remark: 'x' },
    ],
    refused: [{ password: 'long enough' }, { id: 0 }, { id: 1, password: 'short' }],
  },
  {
    path: '/api/user/manage',
    method: 'post',
    taken: [
      { id: 2, action: 'disable' },
      { id: 2, action: 'add_quota', mode: 'add', value: 5, remark: 'x' },
      { id: 2, action: 'add_quota', mode: 'override', value: -5, remark: 'x' },
    ],
    refused: [{ id: 2 }, { id: 2, action: 'bless' }, { id: 'x', action: 'disable' }],
  },
  {
    path: '/api/verify',
    method: 'post',
    taken: [
      { scope: 'balance', method: 'password', password: 'x' },
      { scope: 'balance', method: '2fa', code: '123456' },
      { scope: 'balance', method: 'session' },
    ],
    refused: [{ scope: 'balance' }, { scope: 'nothing', method: 'session' }],
  },
  {
    path: '/api/token',
    method: 'post',
    taken: [{ name: 'a' }, { name: 'a', expired_time: -1, unlimited_quota: true }],
    refused: [{}, { name: 'a', expired_time: 0 }, { name: 'a', remain_quota: -1 }],
  },
  {
    path: '/api/channel',
    method: 'post',
    taken: [channel, { mode: 'batch', channel }],
    refused: [{ name: 'one' }, { ...channel, name: '' }, { mode: 'batch', channel: { type: 1 } }],
  },
  {
    path: '/api/vendors',
    method: 'post',
    taken: [{ name: 'Acme' }],
    refused: [{}, { name: 1 }, { name: '' }],
  },
]

for (const { path, method, taken, refused } of trips) {
  t.test(`${method} ${path}: the document takes what the gateway takes`, async (t) => {
    const schema = whole.paths[path]?.[method]?.requestBody?.content['application/json']?.schema
    const route = routes.find(
      ({ declared }) =>
        declared.method.toLowerCase() === method && pathForms(declared.path)[0]?.path === path,
    )
    const judged = (body: JsonObject) => [
      route?.management?.body?.validate(body, { stripUnknown: true }).error === undefined,
      fits(schema, body),
    ]
    for (const body of taken) t.strictSame(judged(body), [true, true], JSON.stringify(body))
    for (const body of refused) t.strictSame(judged(body), [false, false], JSON.stringify(body))
  })
}

t.test('a role reads what it may call and no more; a stranger nothing', async (t) => {
  const people = [
    { username: 'clerk', role: 10 },
    { username: 'guest', role: 1 },
  ]
  const documents: Document[] = [whole]
  for (const person of people) {
    await admin.must('POST', '/api/user/', { ...person, password: root.password })
    const client = management(url)
    await client.login(person.username, root.password)
    documents.push(await read(client))
  }
  const roles = documents.map((document) => new Set(rolesIn(document)))
  t.strictSame(
    roles.map((set) => [...set].sort()),
    [
      ['admin', 'anyone', 'root', 'user'],
      ['admin', 'anyone', 'user'],
      ['anyone', 'user'],
    ],
  )
  t.equal((await management(url).call('GET', '/api/openapi.json')).status, 401)
})

t.test('it is kept by the reader and sent again only when it changed', async (t) => {
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(root),
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const ask = (headers = {}) =>
    fetch(`${url}/api/openapi.json/`, { headers: { cookie, ...headers } })
  const first = await ask()
  const etag = first.headers.get('etag') ?? ''
  t.match(etag, /^"[\w-]{43}"$/)
  t.equal(first.headers.get('cache-control'), 'private, no-cache')
  t.match(first.headers.get('vary'), /\bCookie\b.*\bAuthorization\b/)
  t.strictSame(await first.json(), whole)
  const again = await ask({ 'if-none-match': etag })
  t.equal(again.status, 304)
  t.equal(await again.text(), '')
  t.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
})

function rolesIn({ paths }: Document): readonly string[] {
  const all = Object.values(paths).flatMap((item) => Object.values(item))
  return all.map((operation) => String(operation['x-role'] ?? 'anyone'))
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at)
}

function within(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined
}

/** Places in a schema of which the reader learns nothing. */
function silent(schema: Json | undefined, place: string): readonly string[] {
  if (!isObject(schema)) return typeof schema === 'boolean' ? [] : [place]
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  const content = [
    ...['type', 'enum', '$ref', 'anyOf', 'oneOf', 'allOf', 'pattern', 'required', 'not'],
    'dependentRequired',
  ]
  const isSilent = !content.some((word) => word in schema) && schema.description === undefined
  const fields = isObject(properties) ? Object.entries(properties) : []
  const forms = [anyOf, oneOf, allOf].flatMap((all) => (Array.isArray(all) ? all : []))
  return [
    ...(isSilent ? [place] : []),
    ...fields.flatMap(([name, field]) => silent(field, `${place}.${name}`)),
    ...forms.flatMap((form) => silent(form, place)),
    ...(items === undefined ? [] : silent(items, `${place}[]`)),
    ...(additionalProperties === undefined ? [] : silent(additionalProperties, `${place}.*`)),
  ]
}
