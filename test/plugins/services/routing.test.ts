/** Plans: which groups a request may use, and in what order. */
import t from 'tap'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { RoutingPolicy, Token, User } from '../../../kernel/contract/line/people.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import type { AutoRouteRecord } from '../../../plugins/services/routing/auto-routes.js'
import { usableGroups } from '../../../plugins/services/routing/groups.js'
import create from '../../../plugins/services/routing/index.js'
import { planner } from '../../../plugins/services/routing/plan.js'
import { quietLog } from '../../kit/fakes.js'

/** `gone` has no ratio. */
const real = ['default', 'vip', 'svip', 'lab']
const usable = { default: 'For everybody', vip: 'Very important', gone: 'No ratio' }
const special = {
  vip: { '+:svip': 'Even more', '-:default': '', extra: 'No ratio' },
  odd: { lab: 'The lab', '-:odd': '' },
}

const route = (key: string, over: Partial<AutoRouteRecord> = {}): AutoRouteRecord => ({
  key,
  display_name: key.toUpperCase(),
  groups: ['vip', 'default'],
  user_groups: [],
  enabled: true,
  is_default: false,
  ...over,
})

const routes = [
  route('auto', { groups: ['gone', 'vip', 'default'], is_default: true }),
  route('inner', { groups: ['svip', 'vip'], user_groups: ['vip'] }),
  route('off', { enabled: false }),
  route('lab', { groups: ['default'] }),
  route('closed', { groups: ['lab', 'gone'] }),
]

function settingsOf(over: Readonly<Record<string, object>> = {}) {
  const listeners: (() => void)[] = []
  const values = { usableGroups: usable, specialUsableGroups: special, ...over }
  const settings = {
    json: (name: keyof typeof values) => values[name],
    boolean: () => false,
    onChange: (listener: () => void) => listeners.push(listener),
  } as unknown as Settings
  return {
    settings,
    change(name: keyof typeof values, value: object) {
      Object.assign(values, { [name]: value })
      for (const listener of listeners) listener()
    },
  }
}

function setup(over: { readonly routes?: readonly AutoRouteRecord[]; auto?: boolean } = {}) {
  const { settings, change } = settingsOf()
  const ratios = { groups: [...real] as readonly string[] }
  const groups = usableGroups(settings, {
    groups: () => ratios.groups,
    ratio: (group, userGroup) => (group === userGroup ? 0.5 : 2),
  })
  const records = over.routes ?? routes
  const plans = planner({
    groups,
    autoRoutes: {
      start: async () => {},
      all: () => records,
      get: (key) => records.find((record) => record.key === key),
      theDefault: () => records.find(({ is_default }) => is_default),
    },
    useAutoByDefault: () => over.auto ?? false,
  })
  return { ...plans, groups, change, ratios }
}

const user = (group: string, role = 1): User => ({
  id: 1,
  username: 'ada',
  role,
  group,
  walletId: 1,
})

const token = (over: Partial<Token> = {}): Token => ({
  id: 1,
  name: 'test',
  group: '',
  crossGroupRetry: false,
  ...over,
})

const manual = (...groups: readonly string[]): RoutingPolicy => ({
  version: 1,
  mode: 'manual',
  auto_route: '',
  groups,
  retry_on_failure: false,
})

const smart = (auto_route: string): RoutingPolicy => ({ ...manual(), mode: 'smart', auto_route })

const refused = { code: 'group_not_usable', status: 403 } as never

t.test(
  'usable are the groups of the option, the exceptions and the own one, if they have a ratio',
  (t) => {
    const { groups, change, ratios } = setup()
    const names = (of: User) => groups.list(of).map(({ name }) => name)
    const rows = [
      ['default', ['default', 'vip']],
      ['svip', ['default', 'vip', 'svip']],
      ['vip', ['vip', 'svip']],
      ['odd', ['default', 'vip', 'lab']],
      ['__proto__', ['default', 'vip']],
      ['gone', ['default', 'vip']],
    ] as const
    for (const [group, expected] of rows) t.same(names(user(group)), expected, group)
    t.same(names(user('default', 10)), real, 'an admin may use every group')
    t.same(groups.list(user('vip')), [
      { name: 'vip', ratio: 0.5, desc: 'Very important' },
      { name: 'svip', ratio: 2, desc: 'Even more' },
    ])

    change('specialUsableGroups', {})
    t.same(names(user('vip')), ['default', 'vip'], 'an edit of the options counts at once')
    ratios.groups = ['vip']
    t.same(names(user('default')), ['vip'], 'and one of the ratios too')
    t.same(names(user('default', 10)), ['vip'])
    t.end()
  },
)

t.test('[ROUTE-5] a stored policy is followed: the chain of its route, or its groups', (t) => {
  const { plan } = setup()
  const rows: [string, string, RoutingPolicy, string[]][] = [
    ['a chain', 'default', smart('auto'), ['vip', 'default']],
    ['for members of a group', 'vip', smart('inner'), ['svip', 'vip']],
    ['groups in their order', 'default', manual('vip', 'default'), ['vip', 'default']],
    ['the other way round', 'default', manual('default', 'vip'), ['default', 'vip']],
    ['the token has a legacy group too', 'default', manual('default'), ['default']],
  ]
  for (const [name, group, routing, groups] of rows) {
    const caller = { user: user(group), token: token({ routing, group: 'vip' }) }
    t.same(plan(caller), { groups, crossGroup: false }, name)
    const retrying = { ...routing, retry_on_failure: true }
    t.same(
      plan({ ...caller, token: token({ routing: retrying }) }),
      { groups, crossGroup: true },
      `${name}, with retry`,
    )
  }
  const legacy = {
    user: user('default'),
    token: token({ routing: manual('vip'), crossGroupRetry: true }),
  }
  t.equal(plan(legacy).crossGroup, false, 'the legacy switch does not count beside a policy')
  t.end()
})

t.test(
  '[ROUTE-9] [ROUTE-10] without a stored policy one is made: the legacy group, else that of the user, else the default route',
  (t) => {
    const { plan, policyOf } = setup()
    const rows: [string, string, string, string[]][] = [
      ['the legacy group', 'default', 'vip', ['vip']],
      ['the key of an auto route', 'default', 'auto', ['vip', 'default']],
      ['a group stands before a route of its name', 'odd', 'lab', ['lab']],
      ['none: the group of the user', 'svip', '', ['svip']],
      ['the user has none: the default route', '', '', ['vip', 'default']],
    ]
    for (const [name, userGroup, group, groups] of rows) {
      const caller = { user: user(userGroup), token: token({ group }) }
      t.same(plan(caller), { groups, crossGroup: false }, name)
      const retrying = token({ group, crossGroupRetry: true })
      t.same(plan({ ...caller, token: retrying }), { groups, crossGroup: true }, `${name}, retry`)
    }
    t.same(plan({ user: user('svip') }), { groups: ['svip'], crossGroup: false }, 'no token')
    t.same(policyOf(token({ group: 'auto', crossGroupRetry: true }), user('vip')), {
      policy: { ...smart('auto'), retry_on_failure: true },
      synthesized: true,
    })
    t.same(policyOf(token({ group: '' }), user('vip')).policy, manual('vip'))
    const stored = token({ routing: manual('vip') })
    t.same(policyOf(stored, user('vip')), { policy: manual('vip'), synthesized: false })
    t.end()
  },
)

t.test('[ROUTE-10] a user whose group cannot be used is refused, never moved', (t) => {
  const { plan, policyOf } = setup()
  for (const crossGroupRetry of [false, true]) {
    const caller = { user: user('gone'), token: token({ crossGroupRetry }) }
    t.throws(() => plan(caller), refused)
  }
  t.throws(() => plan({ user: user('gone') }), refused, 'without a token too')
  t.throws(() => plan({ user: user('gone', 10), token: token() }), refused, 'an admin as well')
  t.same(policyOf(token(), user('gone')), { policy: manual('gone'), synthesized: true })
  t.same(plan({ user: user('gone'), token: token({ group: 'vip' }) }).groups, ['vip'])
  const { plan: auto } = setup({ auto: true })
  t.same(auto({ user: user('gone') }).groups, ['vip', 'default'], 'the operator moves everybody')
  const { plan: without } = setup({ routes: [] })
  t.throws(() => without({ user: user('') }), refused, 'and there is no default route')
  t.end()
})

t.test('the default route comes before the own group where the operator states so', (t) => {
  const { plan } = setup({ auto: true })
  t.same(plan({ user: user('svip'), token: token() }).groups, ['vip', 'default'])
  t.same(plan({ user: user('svip'), token: token({ group: 'svip' }) }).groups, ['svip'])
  t.end()
})

t.test(
  '[ROUTE-13] [ROUTE-18] what cannot be used is skipped; with nothing left the request is refused, whatever the user could use besides',
  (t) => {
    const { plan } = setup()
    const skipped = plan({
      user: user('default'),
      token: token({ routing: manual('lab', 'vip', 'gone', 'default') }),
    })
    t.same(skipped.groups, ['vip', 'default'])

    const rows: [string, Partial<Token>][] = [
      ['no group of the policy is left', { routing: manual('lab', 'gone', 'svip') }],
      ['the route is gone', { routing: smart('nowhere') }],
      ['the route is switched off', { routing: smart('off') }],
      ['the route is for others', { routing: smart('inner') }],
      ['nothing of the chain can be used', { routing: smart('closed') }],
      ['the legacy group is gone', { group: 'gone' }],
      ['the legacy group is of others', { group: 'svip' }],
      ['the legacy route is switched off', { group: 'off' }],
    ]
    for (const [name, over] of rows) {
      t.throws(() => plan({ user: user('default'), token: token(over) }), refused, name)
    }
    const without = setup({ routes: [] })
    t.throws(() => without.plan({ user: user('gone'), token: token() }), refused, 'no default')
    t.end()
  },
)

t.test('[ROUTE-18] a stored policy that is no policy is refused', (t) => {
  const { plan } = setup()
  const rows: [string, unknown][] = [
    ['another version', { ...manual('vip'), version: 2 }],
    ['another mode', { ...manual('vip'), mode: 'any' }],
    ['no groups', { version: 1, mode: 'manual' }],
    ['groups that are text', { ...manual(), groups: 'vip' }],
    ['a group twice', manual('vip', 'vip')],
    ['a number', 7],
    ['nothing', null],
  ]
  for (const [name, routing] of rows) {
    const caller = { user: user('default'), token: token({ routing: routing as RoutingPolicy }) }
    t.throws(() => plan(caller), refused, name)
  }
  t.end()
})

t.test('an queried group goes before the policy, if the user may use it', (t) => {
  const { plan } = setup()
  const routing = { ...manual('default'), retry_on_failure: true }
  const caller = { user: user('default'), token: token({ routing }) }
  t.same(plan(caller, { requested: 'vip' }), { groups: ['vip'], crossGroup: false })
  t.same(plan(caller, { requested: 'auto' }), { groups: ['vip', 'default'], crossGroup: false })
  for (const requested of ['svip', 'gone', 'nowhere', 'off', 'inner', 'closed']) {
    t.throws(() => plan(caller, { requested: requested }), refused, requested)
    t.throws(
      () => plan({ user: user('default') }, { requested: requested }),
      refused,
      `${requested}, no token`,
    )
  }
  t.same(plan(caller, { requested: '' }).groups, ['default'], 'none queried')
  t.end()
})

t.test('a pin is for admins, and needs no group', (t) => {
  const { plan } = setup()
  const denied = { code: 'channel_pin_denied', status: 403 } as never
  t.throws(() => plan({ user: user('default'), token: token() }, { pinned: 7 }), denied)
  const admin = user('default', 10)
  const routing = { ...manual('vip', 'default'), retry_on_failure: true }
  t.same(plan({ user: admin, token: token({ routing }) }, { pinned: 7 }), {
    groups: ['vip', 'default'],
    crossGroup: false,
    pinned: 7,
  })
  const useless = token({ routing: manual('gone') })
  t.same(plan({ user: admin, token: useless }, { pinned: 7 }).groups, ['default'])
  t.throws(() => plan({ user: admin, token: token() }, { pinned: 7, requested: 'gone' }), refused)
  t.end()
})

t.test('the routes a user may select, with the groups they may use', (t) => {
  const { autoRoutes } = setup()
  const auto = { key: 'auto', display_name: 'AUTO', groups: ['vip', 'default'] }
  const lab = { key: 'lab', display_name: 'LAB', groups: ['default'] }
  t.same(autoRoutes(user('default')), [auto, lab])
  t.same(
    autoRoutes(user('vip')).map(({ key, groups }) => [key, ...groups]),
    [
      ['auto', 'vip'],
      ['inner', 'svip', 'vip'],
    ],
    'a chain of which nothing is left is no choice',
  )
  t.same(
    autoRoutes(user('default', 100)).map(({ key }) => key),
    ['auto', 'inner', 'lab', 'closed'],
    'an admin may select every enabled one',
  )
  t.end()
})

t.test('[ROUTE-6] [ROUTE-14] a policy is refused by the name of the part at fault', (t) => {
  const { checkPolicy } = setup()
  const nine = Array.from({ length: 9 }, (_, index) => `group ${index}`)
  const rows: [string, unknown, string, RegExp][] = [
    ['no object', 'manual', 'routing', /must be an object/],
    ['null', null, 'routing', /must be an object/],
    ['a list', [], 'routing', /must be an object/],
    ['no version', { ...manual('vip'), version: undefined }, 'routing.version', /must be 1/],
    ['version 2', { ...manual('vip'), version: 2 }, 'routing.version', /must be 1/],
    ['version as text', { ...manual('vip'), version: '1' }, 'routing.version', /must be 1/],
    ['mode', { ...manual('vip'), mode: 'auto' }, 'routing.mode', /smart or manual/],
    ['retry', { ...manual('vip'), retry_on_failure: 1 }, 'routing.retry_on_failure', /true or/],
    ['no route', smart(''), 'routing.auto_route', /key of an auto route/],
    ['a route that is gone', smart('nowhere'), 'routing.auto_route', /"nowhere"/],
    ['a route that is off', smart('off'), 'routing.auto_route', /may select/],
    ['a route for others', smart('inner'), 'routing.auto_route', /may select/],
    ['a route to nowhere', smart('closed'), 'routing.auto_route', /may select/],
    ['no groups', manual(), 'routing.groups', /at least one/],
    ['groups as text', { ...manual(), groups: 'vip' }, 'routing.groups', /must be a list/],
    ['a group that is a number', { ...manual(), groups: [1] }, 'routing.groups', /names of/],
    ['nine groups', manual(...nine), 'routing.groups', /at most 8/],
    ['a group twice', manual('vip', 'default', 'vip'), 'routing.groups', /"vip" twice/],
    ['a group of others', manual('vip', 'svip'), 'routing.groups', /"svip".*may use/],
    ['a group without a ratio', manual('gone'), 'routing.groups', /"gone"/],
    ['no group', manual('nowhere'), 'routing.groups', /"nowhere"/],
    ['an auto route as group', manual('auto'), 'routing.groups', /"auto"/],
  ]
  for (const [name, sent, param, message] of rows) {
    const fault = { code: 'invalid_field', param, message } as never
    t.throws(() => checkPolicy(sent, user('default')), fault, name)
  }
  t.end()
})

t.test('[ROUTE-5] a sound policy is stored without what its mode does not read', (t) => {
  const { checkPolicy } = setup()
  const ada = user('default')
  t.same(checkPolicy(manual('vip', 'default'), ada), manual('vip', 'default'))
  t.same(checkPolicy(smart('auto'), ada), smart('auto'))
  t.same(checkPolicy({ ...smart('auto'), groups: ['svip'] }, ada), smart('auto'))
  t.same(checkPolicy({ ...manual('vip'), auto_route: 'off' }, ada), manual('vip'))
  const least = { version: 1, mode: 'manual', groups: ['vip'], more: true }
  t.same(checkPolicy({ ...least, retry_on_failure: false }, ada), manual('vip'))
  t.equal(checkPolicy(least, ada).retry_on_failure, true, 'only an explicit false disables it')
  t.same(checkPolicy(manual('svip', 'vip'), user('vip')).groups, ['svip', 'vip'])
  t.end()
})

/** The service itself, as far as it needs no database. */
function service() {
  const checks = new Map<string, (text: string) => void>()
  const models: Readonly<Record<string, readonly string[]>> = {
    default: ['a', 'c', 'd'],
    vip: ['b', 'c'],
  }
  const routing = create({
    settings: settingsOf().settings,
    clock: systemClock,
    log: quietLog,
    services: {
      changes: { on() {} },
      database: {},
      options: { check: (key: string, check: (text: string) => void) => checks.set(key, check) },
      channels: { models: (group: string) => models[group] ?? [] },
      pricing: { groups: () => real, ratio: () => 1 },
    } as never,
  })
  return { routing, checks }
}

t.test(
  '[ROUTE-15] the models of a route are those of all its groups, each once, first group first',
  (t) => {
    const { routing } = service()
    const models = (...groups: readonly string[]) => routing.models({ groups, crossGroup: false })
    t.same(models('default', 'vip'), ['a', 'c', 'd', 'b'])
    t.same(models('vip', 'default'), ['b', 'c', 'a', 'd'])
    t.same(models('vip', 'empty'), ['b', 'c'])
    t.same(models(), [])
    t.end()
  },
)

t.test('the options of groups are checked before they are stored', (t) => {
  const { checks } = service()
  const plain = 'UserUsableGroups'
  const byGroup = 'group_ratio_setting.group_special_usable_group'
  const sound: [string, string][] = [
    [plain, '{}'],
    [plain, '{"default":"Default group","vip":""}'],
    [byGroup, '{}'],
    [byGroup, '{"vip":{"+:svip":"d","-:default":"","extra":"e"},"none":{}}'],
  ]
  for (const [key, text] of sound) t.doesNotThrow(() => checks.get(key)?.(text), text)
  const bad: [string, string, RegExp][] = [
    [plain, '{"vip":1}', /"vip", not number/],
    [plain, '{"vip":null}', /"vip", not null/],
    [plain, '{"vip":["a"]}', /"vip", not an array/],
    [plain, '{"":"blank"}', /holds "", which cannot be the name/],
    [plain, '{" vip":"space"}', /cannot be the name/],
    [plain, `{"${'x'.repeat(65)}":"long"}`, /cannot be the name/],
    [plain, '{"a\\nb":"line"}', /cannot be the name/],
    [byGroup, '{"vip":"svip"}', /must hold an object for "vip"/],
    [byGroup, '{"vip":null}', /must hold an object for "vip"/],
    [byGroup, '{"":{}}', /cannot be the name/],
    [byGroup, '{"vip":{"+:":"d"}}', /holds "", which cannot be the name/],
    [byGroup, '{"vip":{"-:default":false}}', /"-:default", not boolean/],
  ]
  for (const [key, text, message] of bad) {
    const fault = { code: 'invalid_field', param: key, message } as never
    t.throws(() => checks.get(key)?.(text), fault, text)
  }
  t.end()
})
