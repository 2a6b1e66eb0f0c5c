/** The OpenAPI document: joi schemas reported as JSON Schema that takes and refuses the same, and routes reported as operations. */
import joi, { type Schema } from 'joi'
import t from 'tap'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { LoadedRoute } from '../../../kernel/contract/management.js'
import type { Manifest, RouteManifest } from '../../../kernel/contract/manifest.js'
import { noData, pagedQuery, pageOf } from '../../../kernel/toolkit/management/paging.js'
import {
  describeRoute,
  openApiDocument,
} from '../../../plugins/management/openapi/document/document.js'
import { jsonSchema } from '../../../plugins/management/openapi/document/json-schema.js'
import { NamedSchemas } from '../../../plugins/management/openapi/document/named-schemas.js'
import { fits } from '../../kernel/http/openapi-validator.js'

interface Row {
  readonly title: string
  readonly schema: Schema
  readonly result: JsonObject
  readonly taken: readonly unknown[]
  readonly refused: readonly unknown[]
}

// biome-ignore-start lint/suspicious/noThenProperty: joi's own word.
const rows: readonly Row[] = [
  {
    title: 'a text with bounds',
    schema: joi.string().min(2).max(4),
    result: { type: 'string', minLength: 2, maxLength: 4 },
    taken: ['ab', 'abcd'],
    refused: ['a', 'abcde', 1, null],
  },
  {
    title: 'a text is not blank unless it states so',
    schema: joi.string(),
    result: { type: 'string', minLength: 1 },
    taken: ['a'],
    refused: ['', []],
  },
  {
    title: 'a text that may be blank',
    schema: joi.string().allow('').max(3),
    result: { type: 'string', maxLength: 3 },
    taken: ['', 'abc'],
    refused: ['abcd', null],
  },
  {
    title: 'a blank text beside rules it would break',
    schema: joi.string().allow('').min(2),
    result: {
      anyOf: [
        { type: 'string', minLength: 2 },
        { type: 'string', enum: [''] },
      ],
    },
    taken: ['', 'ab'],
    refused: ['a'],
  },
  {
    title: 'a text or null',
    schema: joi.string().allow(null),
    result: {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'null', enum: [null] },
      ],
    },
    taken: ['a', null],
    refused: ['', 1],
  },
  {
    title: 'a pattern by name',
    schema: joi.string().pattern(/^\P{Cc}*$/u, 'no control characters'),
    result: {
      type: 'string',
      minLength: 1,
      pattern: '^\\P{Cc}*$',
      description: 'No control characters.',
    },
    taken: ['é'],
    refused: ['\u0007'],
  },
  {
    title: 'patterns, one of them turned round',
    schema: joi.string().pattern(/^a/).pattern(/b$/, { invert: true }),
    result: {
      type: 'string',
      minLength: 1,
      allOf: [{ pattern: '^a' }, { not: { pattern: 'b$' } }],
    },
    taken: ['a', 'abc'],
    refused: ['b', 'ab'],
  },
  {
    title: 'a whole number within a range, but never nought',
    schema: joi.number().integer().min(-1).invalid(0).max(9),
    result: { type: 'integer', minimum: -1, maximum: 9, not: { enum: [0] } },
    taken: [-1, 9],
    refused: [0, 10, 1.5, 'x'],
  },
  {
    title: 'one of some values, with a standard',
    schema: joi.valid('a', 'b').default('a'),
    result: { type: 'string', enum: ['a', 'b'], default: 'a' },
    taken: ['a', 'b'],
    refused: ['c', 1],
  },
  {
    title: 'one of some values, blank for none',
    schema: joi.valid(1, 2).empty(''),
    result: { enum: [1, 2, ''] },
    taken: [1, ''],
    refused: [3, 'a'],
  },
  {
    title: 'blank or null for as it is',
    schema: joi.string().min(8).empty(['', null]),
    result: { anyOf: [{ type: 'string', minLength: 8 }, { enum: ['', null] }] },
    taken: ['', null, '12345678'],
    refused: ['1234567'],
  },
  {
    title: 'yes or no',
    schema: joi.boolean().default(false),
    result: { type: 'boolean', default: false },
    taken: [true, false],
    refused: ['x', 2],
  },
  {
    title: 'a list',
    schema: joi.array().items(joi.number().integer()).min(1).max(2).unique(),
    result: {
      type: 'array',
      items: { type: 'integer' },
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
    },
    taken: [[1], [1, 2]],
    refused: [[], [1, 1], [1, 2, 3], [1.5], 'x'],
  },
  {
    title: 'a list of several kinds, or one item alone',
    schema: joi.array().items(joi.number(), joi.valid('x')).single(),
    result: {
      anyOf: [
        { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string', enum: ['x'] }] } },
        { anyOf: [{ type: 'number' }, { type: 'string', enum: ['x'] }] },
      ],
    },
    taken: [[1, 'x'], 2],
    refused: [['y'], 'y'],
  },
  {
    title: 'an object: required fields, dropped ones, forbidden ones and unknown ones',
    schema: joi.object({
      a: joi.number().required(),
      b: joi.boolean(),
      gone: joi.any().strip(),
      never: joi.forbidden(),
    }),
    result: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'boolean' } },
      required: ['a'],
    },
    taken: [{ a: 1 }, { a: 1, b: true, unknown: 1 }],
    refused: [{}, { a: 'x' }, { a: 1, b: 'x' }, []],
  },
  {
    title: 'an object with keys nobody knows beforehand',
    schema: joi.object().pattern(joi.string(), joi.number()).min(1),
    result: { type: 'object', minProperties: 1, additionalProperties: { type: 'number' } },
    taken: [{ a: 1 }],
    refused: [{}, { a: 'x' }],
  },
  {
    title: 'an object with keys of a pattern',
    schema: joi.object().pattern(/^x-/, joi.number()),
    result: { type: 'object', patternProperties: { '^x-': { type: 'number' } } },
    taken: [{ 'x-a': 1 }, { other: 'b' }],
    refused: [{ 'x-a': 'b' }],
  },
  {
    title: 'a field under its older name',
    schema: joi
      .object({ size: joi.number().default(3) })
      .rename('length', 'size', { ignoreUndefined: true, override: true }),
    result: {
      type: 'object',
      properties: {
        size: { type: 'number', default: 3 },
        length: { type: 'number', deprecated: true, description: 'Older name of size.' },
      },
    },
    taken: [{ length: 1 }, { size: 1 }, {}],
    refused: [{ length: 'x' }],
  },
  {
    title: 'one field or another',
    schema: joi.object({ a: joi.number(), b: joi.number() }).or('a', 'b'),
    result: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      allOf: [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
    },
    taken: [{ a: 1 }, { a: 1, b: 1 }],
    refused: [{}],
  },
  {
    title: 'alternatives',
    schema: joi.alternatives(joi.number(), joi.array()),
    result: { anyOf: [{ type: 'number' }, { type: 'array' }] },
    taken: [1, []],
    refused: ['x', {}],
  },
  {
    title: 'alternatives of which one only may fit',
    schema: joi.alternatives(joi.number().min(3), joi.number().max(5)).match('one'),
    result: {
      oneOf: [
        { type: 'number', minimum: 3 },
        { type: 'number', maximum: 5 },
      ],
    },
    taken: [1, 9],
    refused: [4],
  },
  {
    title: 'two forms of a body',
    schema: joi.alternatives().conditional(joi.object({ many: joi.array().required() }).unknown(), {
      then: joi.object({ many: joi.array().min(1) }),
      otherwise: joi.object({ one: joi.number().required() }),
    }),
    result: {
      anyOf: [
        {
          description: 'One form.',
          allOf: [
            { type: 'object', properties: { many: { type: 'array' } }, required: ['many'] },
            { type: 'object', properties: { many: { type: 'array', minItems: 1 } } },
          ],
        },
        {
          description: 'Otherwise.',
          type: 'object',
          properties: { one: { type: 'number' } },
          required: ['one'],
        },
      ],
    },
    taken: [{ many: [1] }, { one: 1 }],
    refused: [{}, { many: [], one: 'x' }, 1],
  },
  {
    title: 'a field whose form depends on another',
    schema: joi.object({
      action: joi.valid('add', 'stop'),
      value: joi.when('action', {
        is: 'add',
        then: joi.number().required(),
        otherwise: joi.any().strip(),
      }),
      size: joi
        .number()
        .when('action', { is: joi.valid('add', 'stop'), then: joi.number().min(1) }),
    }),
    result: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['add', 'stop'] },
        value: {
          anyOf: [
            { description: 'Where action is "add": required.', type: 'number' },
            { description: 'Otherwise: ignored.' },
          ],
        },
        size: {
          allOf: [
            { type: 'number' },
            {
              anyOf: [
                { description: 'Where action is "add" or "stop".', type: 'number', minimum: 1 },
                { description: 'Otherwise: as it comes.' },
              ],
            },
          ],
        },
      },
    },
    taken: [{ action: 'add', value: 1, size: 1 }, { action: 'stop' }],
    refused: [{ action: 'halt' }, { action: 'add', value: 1, size: 'x' }],
  },
  {
    title: 'a form for each value of another field',
    schema: joi.object({
      kind: joi.any(),
      of: joi.when('kind', {
        switch: [
          { is: 1, then: joi.number() },
          { is: 2, then: joi.boolean() },
        ],
        otherwise: joi.string(),
      }),
    }),
    result: {
      type: 'object',
      properties: {
        kind: {},
        of: {
          anyOf: [
            { description: 'Where kind is 1.', type: 'number' },
            { description: 'Where kind is 2.', type: 'boolean' },
            { description: 'Otherwise.', type: 'string', minLength: 1 },
          ],
        },
      },
    },
    taken: [
      { kind: 1, of: 1 },
      { kind: 2, of: true },
      { kind: 3, of: 'x' },
    ],
    refused: [{ kind: 1, of: [] }],
  },
  {
    title: 'what a check of its own takes, in words and by schema',
    schema: joi.object({
      names: joi
        .any()
        .custom(listOrText)
        .meta({ openapi: { type: ['array', 'string'], items: { type: 'string' } } })
        .default([]),
      note: joi.any().custom(listOrText).description('A list, or its joined text.'),
    }),
    result: {
      type: 'object',
      properties: {
        names: { type: ['array', 'string'], items: { type: 'string' }, default: [] },
        note: { description: 'A list, or its joined text.' },
      },
    },
    taken: [{ names: ['a'] }, { names: 'a,b', note: 'a' }],
    refused: [{ names: 1 }],
  },
]
// biome-ignore-end lint/suspicious/noThenProperty: joi's own word.

function listOrText(value: unknown): unknown {
  if (Array.isArray(value) || typeof value === 'string') return value
  throw new Error('must be a list or its joined text')
}

for (const { title, schema, result, taken, refused } of rows) {
  t.test(`${title}: JSON Schema takes what joi takes and refuses what it refuses`, async (t) => {
    const made = jsonSchema(schema)
    t.strictSame(JSON.parse(JSON.stringify(made)), result)
    const agree = (value: unknown) => [judge(schema, value), fits(made, value)]
    for (const value of taken) t.strictSame(agree(value), [true, true], JSON.stringify(value))
    for (const value of refused) t.strictSame(agree(value), [false, false], JSON.stringify(value))
  })
}

/** As the management routes do: what a schema does not name is left out. */
function judge(schema: Schema, value: unknown): boolean {
  return schema.validate(value, { stripUnknown: true }).error === undefined
}

const unplain: Readonly<Record<string, readonly [Schema, JsonObject]>> = {
  'the value of another field': [
    joi.valid(joi.ref('password')),
    { description: 'The same as password.' },
  ],
  'a bound that is another field': [joi.number().min(joi.ref('least')), { type: 'number' }],
  'a standard made when it is needed': [joi.number().default(() => 3), { type: 'number' }],
  'a pattern with a flag JSON Schema lacks': [
    joi.string().pattern(/a/i),
    { type: 'string', minLength: 1 },
  ],
  'a type that JSON lacks': [joi.symbol(), {}],
  anything: [joi.any().allow(null), {}],
}

for (const [title, [schema, outcome]] of Object.entries(unplain)) {
  t.test(`${title} is described as far as JSON Schema can`, async (t) => {
    t.strictSame(jsonSchema(schema), outcome)
  })
}

function loaded(
  declared: Partial<RouteManifest>,
  code: Pick<LoadedRoute, 'management' | 'endpoint'>,
): LoadedRoute {
  const kind = code.endpoint === undefined ? 'management' : 'endpoint'
  const manifest = { id: `${kind}.some-things`, kind, title: 'Some things' } as unknown as Manifest
  const route = {
    name: 'read-one',
    method: 'GET',
    path: '/api/thing/{id}',
    credential: 'admin',
    body: 'none',
    limiter: 'api',
    ...declared,
  } as const
  return { manifest, declared: route, ...code }
}

const handle = () => null

function paths(route: LoadedRoute, role = 100): Readonly<Record<string, JsonObject>> {
  const named = new NamedSchemas()
  const routes = describeRoute(route, named)
  return openApiDocument({ version: 'v1', routes, role, named }).paths as Record<string, JsonObject>
}

t.test('a management route is reported with what its address takes, field by field', async (t) => {
  const params = joi.object({ id: joi.number().integer().required() })
  const query = pagedQuery({ keyword: joi.string().empty('').required().description('Any part.') })
  const route = loaded(
    { path: '/api/thing/{id}/', summary: 'One thing.' },
    { management: { params, query, handle } },
  )
  t.match(paths(route)['/api/thing/{id}']?.get, {
    operationId: 'someThings_readOne',
    tags: ['Some things'],
    summary: 'One thing.',
    security: [{ session: [] }, { accessToken: [] }],
    'x-role': 'admin',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'p', in: 'query', schema: { type: 'integer', default: 1 } },
      { name: 'page_size', in: 'query' },
      {
        name: 'keyword',
        in: 'query',
        required: true,
        description: 'Any part.',
        schema: { type: 'string', minLength: 1, description: undefined, anyOf: undefined },
      },
      { name: 'size', deprecated: true, description: 'Older name of page_size.' },
      { name: 'ps', deprecated: true },
    ],
    requestBody: undefined,
  })
})

t.test('a body is reported with its schema and its size, answers with every status', async (t) => {
  const body = joi.object({ name: joi.string().required() }).required()
  const write = { method: 'POST', path: '/api/thing/', body: 'json', maxBytes: 9 } as const
  const route = loaded(write, { management: { body, handle } })
  const post = paths(route)['/api/thing']?.post as JsonObject
  t.match(post.requestBody, {
    required: true,
    description: 'At most 9 bytes.',
    content: { 'application/json': { schema: { type: 'object', required: ['name'] } } },
  })
  const statuses = ['200', '400', '401', '403', '404', '409', '413', '429', '503']
  t.strictSame(Object.keys(post.responses as JsonObject).sort(), statuses)
})

t.test('a body of which nothing is required may be left out', async (t) => {
  const body = joi.object({ name: joi.string() })
  const write = { method: 'POST', path: '/api/it', body: 'json' } as const
  const route = loaded(write, { management: { body, handle } })
  t.match(paths(route)['/api/it']?.post, { requestBody: { required: false } })
})

t.test('a parameter of a path is a text, unless a schema states otherwise', async (t) => {
  const result = paths(loaded({ path: '/api/thing/{rest*}' }, { management: { handle } }))
  t.match(result['/api/thing/{rest}']?.get, {
    parameters: [
      {
        name: 'rest',
        in: 'path',
        required: true,
        description: 'It may hold slashes.',
        schema: { type: 'string' },
      },
    ],
  })
})

t.test('an answer of its own is reported to be none of the envelope', async (t) => {
  const management = { bare: true, handle }
  const text = JSON.stringify(paths(loaded({ path: '/api/it' }, { management })))
  t.notMatch(text, /schemas\/Answer/)
  t.match(text, /A body of its own/)
})

const thing = joi
  .object({
    id: joi.number().integer().example(3),
    note: joi.string().allow('').optional(),
    owner: joi.object({ name: joi.string() }).id('Owner').allow(null),
  })
  .id('Thing')

function document(...routes: readonly LoadedRoute[]): JsonObject {
  const named = new NamedSchemas()
  const all = routes.flatMap((route) => describeRoute(route, named))
  return openApiDocument({ version: 'v1', routes: all, role: 100, named })
}

/** What a GET of this path is described to return. */
function returned(result: JsonObject, path: string): JsonObject {
  const { get } = (result.paths as Record<string, { get: { responses: JsonObject } }>)[path]!
  const { content } = get.responses['200'] as { content: Record<string, { schema: JsonObject }> }
  return content['application/json']!.schema
}

t.test('a response is described in its envelope, and named schemas stand once', async (t) => {
  const result = document(
    loaded({ path: '/api/one' }, { management: { response: thing, handle } }),
    loaded({ path: '/api/many' }, { management: { response: pageOf(thing), handle } }),
  )
  t.strictSame(returned(result, '/api/one'), {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { type: 'boolean', const: true },
      message: { type: 'string' },
      data: { $ref: '#/components/schemas/Thing' },
    },
  })
  t.match(returned(result, '/api/many'), {
    properties: {
      data: {
        required: ['page', 'page_size', 'total', 'items'],
        properties: { items: { items: { $ref: '#/components/schemas/Thing' } } },
      },
    },
  })
  const { schemas } = result.components as { schemas: JsonObject }
  t.strictSame(schemas.Thing, {
    type: 'object',
    properties: {
      id: { type: 'integer', examples: [3] },
      note: { type: 'string' },
      owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null', enum: [null] }] },
    },
    required: ['id', 'owner'],
  })
  t.match(schemas.Owner, { required: ['name'] })
})

t.test('of named schemas only those are listed that the reader may come across', async (t) => {
  const named = new NamedSchemas()
  const route = loaded({ credential: 'root' }, { management: { response: thing, handle } })
  const routes = describeRoute(route, named)
  const listed = (role: number) => {
    const { components } = openApiDocument({ version: 'v1', routes, role, named })
    return Object.keys((components as { schemas: JsonObject }).schemas)
  }
  t.notOk(listed(10).includes('Thing'))
  t.notOk(listed(10).includes('Owner'))
  t.ok(listed(100).includes('Owner'), 'one that only another refers to')
})

t.test('a name that belongs to another form already stands for nothing else', async (t) => {
  const named = new NamedSchemas()
  const other = joi.object({ other: joi.string() }).id('Thing')
  const routes = [thing, other, thing].flatMap((response, index) =>
    describeRoute(loaded({ path: `/api/${index}` }, { management: { response, handle } }), named),
  )
  t.strictSame(named.clashes, ['Thing'])
  const result = openApiDocument({ version: 'v1', routes, role: 100, named })
  t.match(returned(result, '/api/1'), { properties: { data: { required: ['other'] } } })
  t.match(returned(result, '/api/2'), {
    properties: { data: { $ref: '#/components/schemas/Thing' } },
  })
})

t.test('fields beside the data are described with it', async (t) => {
  const beside = { ids: joi.array().items(joi.number()), more: joi.string().optional() }
  const management = { response: noData, beside, handle }
  t.match(returned(document(loaded({ path: '/api/it' }, { management })), '/api/it'), {
    required: ['success', 'message', 'data', 'ids'],
    properties: { ids: { type: 'array' }, more: { type: 'string' } },
  })
})

t.test('a body of its own is described without the envelope', async (t) => {
  const management = { response: thing, bare: true, handle }
  t.strictSame(returned(document(loaded({ path: '/api/it' }, { management })), '/api/it'), {
    $ref: '#/components/schemas/Thing',
  })
})

t.test('a file is described by its media type', async (t) => {
  const management = { mediaType: 'application/pdf', handle }
  const result = document(loaded({ path: '/api/it' }, { management }))
  const { get } = (result.paths as Record<string, Record<string, JsonObject>>)['/api/it']!
  t.match(get?.responses, { 200: { content: { 'application/pdf': {} } } })
  t.notMatch(JSON.stringify(get), /schemas\/Answer/)
})

t.test('statuses a handler returns itself are listed, with the codes they may carry', async (t) => {
  const management = { failureStatuses: [502], handle }
  const result = document(loaded({ path: '/api/it' }, { management }))
  const { get } = (result.paths as Record<string, Record<string, JsonObject>>)['/api/it']!
  t.match(get?.responses, { 502: { $ref: '#/components/responses/Refused502' } })
  const { responses } = result.components as { responses: Record<string, Json> }
  t.match(JSON.stringify(responses.Refused502), '"upstream_error"')
  t.notMatch(JSON.stringify(responses.Refused502), '"unauthorized"')
})

const spellings: readonly (readonly [hapi: string, paths: readonly string[]])[] = [
  ['/api/thing/', ['/api/thing']],
  ['/api/thing/{id?}', ['/api/thing/{id}', '/api/thing']],
  ['/v1/models/{model*}', ['/v1/models/{model}']],
  ['/v1/pair/{both*2}', ['/v1/pair/{both}']],
  ['/v1beta/models/{model}:countTokens', ['/v1beta/models/{model}:countTokens']],
]

for (const [hapi, results] of spellings) {
  t.test(`the path ${hapi} is listed as ${results.join(' and ')}`, async (t) => {
    const all = paths(loaded({ path: hapi }, { management: { handle } }))
    t.strictSame(Object.keys(all).sort(), [...results].sort())
    const ids = Object.values(all).map(({ get }) => (get as JsonObject).operationId)
    t.equal(new Set(ids).size, results.length)
  })
}

const keyed: Readonly<Record<string, Json>> = {
  chat: [{ bearer: [] }],
  responses: [{ bearer: [] }],
  messages: [{ messagesKey: [] }, { bearer: [] }],
  generative: [{ generativeKey: [] }, { generativeQuery: [] }, { bearer: [] }],
}

for (const [format, security] of Object.entries(keyed)) {
  t.test(`a relay path of the ${format} format is described by its name and its key`, async (t) => {
    const endpoint = { kind: 'relay', receive: () => ({}) as never } as const
    const declared = { path: '/v1/it', method: 'POST', body: 'json', credential: 'key', format }
    const route = loaded(declared as Partial<RouteManifest>, { endpoint })
    const post = paths(route, 1)['/v1/it']?.post as JsonObject
    t.equal(post.operationId, 'relay_someThings_readOne')
    t.strictSame(post.security, security)
    const body = `#/components/schemas/${format}-body`
    t.match(post.requestBody, { content: { 'application/json': { schema: { $ref: body } } } })
    t.match(JSON.stringify(post.responses), `schemas/${format}-error`)
  })
}

t.test('a path that answers by itself is reported to send no events', async (t) => {
  const endpoint = { kind: 'answer', answer: () => ({}) as never } as const
  const { get } = paths(loaded({ path: '/v1/it', credential: 'key' }, { endpoint }))['/v1/it'] ?? {}
  t.match(get, { responses: { 200: { content: { 'application/json': {} } } } })
  t.notMatch(JSON.stringify(get), 'event-stream')
})

t.test('a WebSocket is reported as one; a path that serves nobody is not listed', async (t) => {
  const endpoint = { kind: 'socket', receive: () => ({}) as never } as const
  const socket = paths(loaded({ path: '/v1/it', credential: 'key' }, { endpoint }))
  t.match(socket['/v1/it']?.get, { responses: { 101: {} } })
  t.strictSame(paths(loaded({ path: '/v1/it', credential: 'none' }, { endpoint })), {})
})

const ranks: readonly (readonly [RouteManifest['credential'], role: number, isListed: boolean])[] =
  [
    ['none', 1, true],
    ['user', 1, true],
    ['admin', 1, false],
    ['admin', 10, true],
    ['root', 10, false],
    ['root', 100, true],
  ]

for (const [credential, role, wasReported] of ranks) {
  t.test(
    `a route for ${credential} is ${wasReported ? 'listed' : 'not listed'} to role ${role}`,
    async (t) => {
      const all = paths(loaded({ credential }, { management: { handle } }), role)
      t.equal(Object.keys(all).length, wasReported ? 1 : 0)
    },
  )
}
