/** Manifests: what is sound, and the sentence for each way of not being so. */
import t from 'tap'
import { contractVersions, faultOfVersion } from '../../../kernel/registry/contract-version.js'
import { inspectManifest, readManifest } from '../../../kernel/registry/manifest.js'
import { findFaults, pathShapes } from '../../../kernel/registry/manifest-set.js'
import { manifestOf, type Part } from './plugins.js'

const read = (manifest: unknown) => readManifest(JSON.stringify(manifest), 'acme/manifest.json')

t.test('arrays that are left out are empty, and what is given stays', async (t) => {
  t.strictSame(read(manifestOf('service.ledger')), {
    ...manifestOf('service.ledger'),
    requires: [],
    hosts: [],
    channelTypes: [],
    settings: [],
    channelSettings: [],
    instanceSettings: [],
    userSettings: [],
    routes: [],
  })
  const provider = read({
    ...manifestOf('provider.acme', { title: 'Acme' }),
    channelTypes: [{ id: 901, name: 'acme', baseUrl: 'https://api.acme.example' }],
    hosts: ['channel', 'auth.acme.example'],
    channelSettings: [
      { name: 'region', type: 'select', options: ['eu', 'us'], default: 'eu', title: 'Region' },
    ],
  })
  t.equal(provider.channelTypes[0]?.title, 'Acme')
  t.equal(provider.channelSettings[0]?.default, 'eu')
})

const route = {
  name: 'list',
  method: 'GET',
  path: '/api/token/',
  credential: 'user',
  body: 'none',
  limiter: 'api',
}
const field = { name: 'size', type: 'number', title: 'Size' }
const type = { id: 901, name: 'acme', baseUrl: 'https://api.acme.example' }
const area = 'management.tokens'
const forms = (field: object) => ({
  channelTypes: [type],
  requestFields: [{ operation: 'video', fields: [field] }],
})

t.test(
  'each unsound manifest is refused in a sentence that names the file and the field',
  async (t) => {
    const table: readonly (readonly [id: string, change: Part & object, sentence: string])[] = [
      ['service.a', { id: undefined }, '"id" is required'],
      ['service.a', { id: 'ledger' }, '"id" with value "ledger" fails to match the kind.name'],
      [
        'service.a',
        { id: 'stage.a' },
        '"id" is "stage.a", but an id of this kind is "service.<name>"',
      ],
      ['service.a', { kind: 'plugin' }, '"kind" must be one of [stage, service, '],
      ['payment.a', {}, '"payment" must say by which methods its provider reports'],
      ['payment.a', { payment: { callback: ['PUT'] } }, '"payment.callback[0]" must be one of '],
      ['service.a', { payment: { callback: [] } }, '"payment" is not for the kind "service"'],
      ['task.a', {}, '"channelTypes" or "serves" must name at least one type the plugin serves'],
      ['service.a', { units: ['second'] }, '"units" is not for the kind "service"'],
      ['task.a', { translations: { zh: { Size: 1 } } }, '"translations.zh.Size" must be a string'],
      ['task.a', { translations: { english: {} } }, '"translations.english" names no language: '],
      ['task.a', { translations: { zh_CN: {} } }, '"translations.zh_CN" names no language: '],
      [
        'task.a',
        { translations: { zh: { '': 'x' } } },
        '"translations.zh." is no text of the manifest',
      ],
      ['task.a', { units: ['Second'] }, '"units[0]" with value "Second" fails to match'],
      ['task.a', { dimensions: ['a', 'a'] }, '"dimensions[1]" contains a duplicate value'],
      [
        'task.a',
        forms({ name: 'size', type: 'colour', title: 'Size' }),
        '"requestFields[0].fields[0].type" must be one of [text, number, ',
      ],
      [
        'task.a',
        forms({ name: 'size', type: 'select', title: 'Size' }),
        '"requestFields[0].fields[0].options" must name what can be selected',
      ],
      [
        'task.a',
        forms({ name: 'size', type: 'text', title: 'Size', min: 1 }),
        '"requestFields[0].fields[0].min" is not for the type "text"',
      ],
      [
        'task.a',
        forms({ name: 'seconds', type: 'number', title: 'Seconds', max: 9, default: 10 }),
        '"requestFields[0].fields[0].default" is no value this field takes',
      ],
      [
        'task.a',
        forms({ name: 'image', type: 'image', title: 'Image', default: 'x' }),
        '"requestFields[0].fields[0].default" is not for the type "image"',
      ],
      ['service.a', { engines: undefined }, '"engines" is required'],
      ['service.a', { engines: {} }, '"engines.waybill" is required'],
      [
        'service.a',
        { engines: { waybill: 'new' } },
        '"engines.waybill" is "new", which is no range',
      ],
      [
        'service.a',
        { engines: { waybill: '^2.0' } },
        '"engines.waybill" is "^2.0", but this gateway has version 1.',
      ],
      ['service.a', { version: '1.0' }, '"version" with value "1.0" fails to match the version'],
      ['service.a', { title: '' }, '"title" is not allowed to be empty'],
      ['service.a', { entry: '/index.js' }, '"entry" with value "/index.js" fails to match'],
      ['service.a', { entry: './../b/index.js' }, '"entry" with value "./../b/index.js" fails'],
      ['service.a', { entry: './index.ts' }, '"entry" with value "./index.ts" fails to match'],
      ['service.a', { requires: 'ledger' }, '"requires" must be an array'],
      ['service.a', { requires: ['a', 'a'] }, '"requires[1]" contains a duplicate value'],
      ['service.a', { hosts: ['https://x.example'] }, '"hosts[0]" with value "https://x.example"'],
      [
        'service.a',
        { hosts: ['settings.url'] },
        '"hosts[0]" names the setting "url", which is not',
      ],
      [
        'service.a',
        { hosts: ['channelSettings.url'], settings: [{ name: 'url', type: 'string', title: 'U' }] },
        '"hosts[0]" names the setting "url", which is not',
      ],
      ['service.a', { hosts: ['channelSettings.'] }, '"hosts[0]" with value "channelSettings."'],
      ['service.a', { routes: [route] }, '"routes" is not for the kind "service"'],
      [
        'service.a',
        { guards: { stage: 'auth', where: 'after' } },
        '"guards" is not for the kind "service"',
      ],
      ['guard.a', {}, '"guards" must name the stage it stands at'],
      [
        'guard.a',
        { guards: { stage: 'auth', where: 'in' } },
        '"guards.where" must be one of [before',
      ],
      ['service.a', { channelTypes: [type] }, '"channelTypes" is not for the kind "service"'],
      [
        'service.a',
        { channelSettings: [field] },
        '"channelSettings" is not for the kind "service"',
      ],
      ['provider.a', {}, '"channelTypes" must name at least one type the provider serves'],
      [
        'provider.a',
        { channelTypes: [{ ...type, id: -1 }] },
        '"channelTypes[0].id" must be greater',
      ],
      [
        'provider.a',
        { channelTypes: [type, type] },
        '"channelTypes[1]" contains a duplicate value',
      ],
      [
        'provider.a',
        { channelTypes: [{ ...type, baseUrl: 'api.x' }] },
        '"channelTypes[0].baseUrl"',
      ],
      ['provider.a', { channelTypes: [{ ...type, baseUrl: 'https://x/' }] }, 'trailing slash'],
      [area, { routes: [{ ...route, method: 'get' }] }, '"routes[0].method" must be one of [GET'],
      [area, { routes: [{ ...route, path: 'api' }] }, '"routes[0].path" with value "api" fails'],
      [
        area,
        { routes: [{ ...route, credential: 'all' }] },
        '"routes[0].credential" must be one of',
      ],
      [area, { routes: [{ ...route, limiter: undefined }] }, '"routes[0].limiter" is required'],
      [area, { routes: [{ ...route, maxBytes: 0 }] }, '"routes[0].maxBytes" must be greater'],
      [
        area,
        { routes: [route, { ...route, path: '/b' }] },
        '"routes[1]" contains a duplicate value',
      ],
      [area, { settings: [field, field] }, '"settings[1]" contains a duplicate value'],
      [
        area,
        { settings: [{ ...field, type: 'int' }] },
        '"settings[0].type" must be one of [string',
      ],
      [area, { settings: [{ ...field, title: undefined }] }, '"settings[0].title" is required'],
      [area, { settings: [{ ...field, default: 'x' }] }, '"settings[0].default" is no value this'],
      [area, { settings: [{ ...field, max: 5, default: 6 }] }, '"settings[0].default" is no value'],
      [
        area,
        { settings: [{ ...field, integer: true, default: 0.5 }] },
        '"settings[0].default" is no',
      ],
      [
        area,
        { settings: [{ ...field, pages: { script: ['https://a.example'] } }] },
        '"settings[0].pages" is not for the type "number"',
      ],
      ...[
        ['http://a.example'],
        ['https://a.example/x'],
        ["https://a.example; script-src 'unsafe-inline'"],
        ["'unsafe-inline'"],
        ['https://*.example'],
        ['*'],
        [],
      ].map(
        (script) =>
          [
            area,
            { settings: [{ ...field, type: 'boolean', pages: { script } }] },
            '"settings[0].pages.script',
          ] as const,
      ),
      [area, { settings: [{ ...field, type: 'boolean', pages: {} }] }, '"settings[0].pages" must'],
      [area, { settings: [{ ...field, min: 6, max: 5 }] }, '"settings[0].min" is above "max"'],
      [
        area,
        { settings: [{ ...field, type: 'string', min: 1 }] },
        '"settings[0].min" is not for the type "string"',
      ],
      [
        area,
        { settings: [{ ...field, options: ['a'] }] },
        '"settings[0].options" is not for the type "number"',
      ],
      [
        area,
        { settings: [{ ...field, type: 'select' }] },
        '"settings[0].options" must name what can',
      ],
      [
        area,
        { settings: [{ ...field, type: 'secret', default: 'x' }] },
        '"settings[0].default" is not',
      ],
      [
        'notifier.own',
        { userSettings: [{ ...field, name: 'language' }] },
        '"userSettings[0].name" is "language", which every account has for itself',
      ],
      [
        area,
        { settings: [{ ...field, when: { field: 'size', is: 1 } }] },
        '"settings[0].when.field" names "size", which is no other field here',
      ],
    ]
    for (const [id, change, sentence] of table) {
      const name = `${id} ${JSON.stringify(change)}`
      try {
        read(manifestOf(id, change))
        t.fail(`${name} was taken`)
      } catch (error) {
        const { message } = error as Error
        t.ok(message.startsWith('acme/manifest.json: ') && message.includes(sentence), message)
        t.ok(message.endsWith('.') && !message.includes('\n'), name)
      }
    }
    t.throws(() => readManifest('{ "id": ', 'acme/manifest.json'), {
      message: /^acme\/manifest\.json: this is not JSON: /,
    })
  },
)

t.test(
  'path parameters have no name and trailing slashes no meaning when routes are compared',
  async (t) => {
    const table: readonly (readonly [path: string, ...shapes: string[]])[] = [
      ['/', '/'],
      ['/api/token/', '/api/token'],
      ['/api/token/{id}', '/api/token/{}'],
      ['/api/token/{id?}', '/api/token', '/api/token/{}'],
      ['/pair/{parts*2}', '/pair/{}/{}'],
      ['/files/{path*}', '/files/{*}'],
      ['/v1beta/models/{model}:generateContent', '/v1beta/models/{}:generateContent'],
    ]
    for (const [path, ...shapes] of table) t.strictSame(pathShapes(path), shapes, path)
  },
)

t.test(
  'what two plugins claim is the fault of the later one, found without their code',
  async (t) => {
    const table: readonly (readonly [
      first: readonly [string, Part],
      second: readonly [string, Part],
      sentence: string | undefined,
    ])[] = [
      [
        ['service.a', {}],
        ['service.a', {}],
        '"id" of service.a claims the id service.a, which service.a has',
      ],
      [
        [area, { routes: [route] }],
        ['management.b', { routes: [{ ...route, path: '/api/token' }] }],
        '"routes[0]" of management.b claims GET /api/token, which management.tokens has',
      ],
      [
        [area, { routes: [{ ...route, path: '/api/token/{id}' }] }],
        ['endpoint.b', { routes: [{ ...route, path: '/api/token/{name}/' }] }],
        '"routes[0]" of endpoint.b claims GET /api/token/{}, which management.tokens has',
      ],
      [
        [area, { routes: [route] }],
        ['management.b', { routes: [{ ...route, method: 'POST' }] }],
        undefined,
      ],
      [
        [area, { routes: [{ ...route, path: '/api/token/{id}' }] }],
        ['management.b', { routes: [{ ...route, path: '/api/token/search' }] }],
        undefined,
      ],
      [
        ['provider.a', { channelTypes: [type] }],
        ['provider.b', { channelTypes: [{ ...type, name: 'b' }] }],
        '"channelTypes[0].id" of provider.b claims the channel type 901, which provider.a has',
      ],
      [
        ['provider.a', { channelTypes: [type] }],
        ['provider.b', { channelTypes: [{ ...type, id: 902 }] }],
        undefined,
      ],
      [
        ['notifier.a', { userSettings: [field] }],
        ['notifier.b', { userSettings: [field] }],
        '"userSettings[0]" of notifier.b claims the user setting "size", which notifier.a has',
      ],
      [
        ['oauth.a', { instanceSettings: [field] }],
        ['oauth.b', { instanceSettings: [field] }],
        undefined,
      ],
      [
        ['service.a', { settings: [{ ...field, option: 'Size' }] }],
        ['service.b', { settings: [{ ...field, option: 'Size' }] }],
        '"settings[0]" of service.b claims the option Size, which service.a has',
      ],
      [['service.a', { settings: [field] }], ['service.b', { settings: [field] }], undefined],
      [
        ['service.a', {}],
        ['service.database', {}],
        '"id" claims the service "database", which the',
      ],
    ]
    for (const [first, second, sentence] of table) {
      const faults = findFaults([read(manifestOf(...first)), read(manifestOf(...second))], {
        kernelServices: new Set(['database']),
        line: [],
      })
      t.equal(faults.get(0), undefined)
      if (sentence === undefined) t.equal(faults.size, 0, second[0])
      else t.ok(faults.get(1)?.startsWith(sentence), `${faults.get(1)}`)
    }
  },
)

t.test('one plugin cannot answer the same path twice', async (t) => {
  const routes = [route, { ...route, name: 'again', path: '/api/token' }]
  const faults = findFaults([read(manifestOf(area, { routes }))], {
    kernelServices: new Set(),
    line: [],
  })
  t.equal(faults.get(0), '"routes[1]" of management.tokens claims GET /api/token twice')
})

t.test('a kind requires only what it may have', async (t) => {
  const kernelServices = new Set([
    'database',
    'egress',
    'formats',
    'providers',
    'system',
    'disconnects',
  ])
  const kernel = { kernelServices, line: ['auth'] }
  const ledger = read(manifestOf('service.ledger'))
  const table: readonly (readonly [
    id: string,
    requires: string[],
    sentence: string | undefined,
  ])[] = [
    ['service.a', ['database', 'egress', 'ledger'], undefined],
    ['management.a', ['database', 'ledger'], undefined],
    ['stage.a', ['formats', 'providers', 'egress', 'disconnects', 'system', 'ledger'], undefined],
    ['stage.a', ['database'], '"requires" names "database", which the kind "stage" may not have'],
    ['endpoint.a', ['formats', 'ledger'], undefined],
    ['endpoint.a', ['egress'], '"requires" names "egress", which the kind "endpoint" may not have'],
    ['format.a', ['ledger'], '"requires" names "ledger", but the kind "format" has no services'],
    [
      'notifier.a',
      ['database'],
      '"requires" names "database", but the kind "notifier" has no services',
    ],
    ['oauth.a', ['ledger'], '"requires" names "ledger", but the kind "oauth" has no services'],
    ['oauth.a', ['ledger'], '"requires" names "ledger", but the kind "oauth" has no services'],
    [
      'notifier.a',
      ['egress'],
      '"requires" names "egress", but the kind "notifier" has no services',
    ],
    [
      'operation.a',
      ['formats'],
      '"requires" names "formats", but the kind "operation" has no services',
    ],
    ['service.a', ['legder'], '"requires" names "legder", which no plugin provides'],
  ]
  for (const [id, requires, sentence] of table) {
    const faults = findFaults([ledger, read(manifestOf(id, { requires }))], kernel)
    t.equal(faults.get(1), sentence, `${id} ${requires}`)
  }
  const guard = read(
    manifestOf('guard.a', { requires: ['ledger'], guards: { stage: 'auth', where: 'after' } }),
  )
  t.equal(
    findFaults([ledger, guard], kernel).get(1),
    '"requires" names "ledger", but the kind "guard" has no services',
  )
})

t.test('fields a newer author may have written are left out and named, and refuse nothing', (t) => {
  const newer = { ...manifestOf(area, { routes: [{ ...route, surprise: {} }] }), hint: [1] }
  const { manifest, unknown } = inspectManifest(JSON.stringify(newer), 'acme/manifest.json')
  t.strictSame(unknown, ['routes[0].surprise', 'hint'])
  t.notOk('hint' in manifest)
  t.strictSame(
    inspectManifest(JSON.stringify(manifestOf(area, { routes: [route] })), 'a').unknown,
    [],
  )
  t.end()
})

t.test('a plugin states which versions of the contract of its kind it works with', (t) => {
  const version = contractVersions.provider
  for (const range of ['*', version, `^${version}`, `>=1.0 <${Number.parseInt(version, 10) + 1}`]) {
    t.equal(faultOfVersion('provider', range), undefined, range)
  }
  t.equal(faultOfVersion('provider', `^${version}-preview.1`), undefined, 'a range with a preview')
  const refusals: readonly (readonly [range: string, sentence: RegExp])[] = [
    ['^99', /: the plugin needs a newer gateway$/],
    ['^99.0.0-preview.1', /: the plugin needs a newer gateway$/],
    ['^0.9', /: the gateway needs a newer release of the plugin$/],
    [`<${version} || >=99`, /: no version this range takes in is the one of the gateway$/],
  ]
  for (const [range, sentence] of refusals) {
    const fault = faultOfVersion('provider', range) ?? ''
    t.match(fault, sentence, range)
    t.ok(
      fault.startsWith(
        `"engines.waybill" is "${range}", but this gateway has version ${version} of the contract of the kind "provider"`,
      ),
      fault,
    )
    t.match(fault, 'counted apart from the releases of the gateway')
  }
  for (const range of ['new', '1.x.y', '^', '>=']) {
    t.match(faultOfVersion('provider', range), /which is no range of versions; "\^1\.0" is one$/)
  }
  t.end()
})

t.test('a channel type without a number gets one from its name, the same on every gateway', (t) => {
  const { id: _, ...named } = type
  const typesOf = (id: string) =>
    readManifest(JSON.stringify(manifestOf(id, { channelTypes: [named] })), id).channelTypes
  const [acme] = typesOf('provider.acme')
  t.match(acme, { key: 'acme/acme', id: 1_331_873_214 })
  const [other] = typesOf('provider.other')
  t.equal(other?.key, 'other/acme', 'two authors may choose one name')
  t.not(other?.id, acme?.id)
  t.end()
})
