/** Reads the option of rules; a `Refusal` names in one sentence which rule and member is wrong, and how. */
import { isObject } from '../../../kernel/contract/json.js'
import { bodyPath, faultOfPath } from './body-path.js'
import { type FaultOf, Members, rulesFault } from './members.js'
import { faultOfPattern, type Pattern, patternOf } from './patterns.js'
import type { KeySource, Rule } from './rule.js'

/** With these, the patterns of all rules fit among those that are kept compiled. */
const rulesMax = 64
const conditionsMax = 30
const sourcesMax = 16
const secondsMax = 30 * 24 * 60 * 60

const ruleMembers: ReadonlySet<string> = new Set([
  'name',
  'enabled',
  'model_regex',
  'path_regex',
  'user_agent_include',
  'key_sources',
  'value_regex',
  'ttl_seconds',
  'skip_retry_on_failure',
  'include_using_group',
  'include_model_name',
  'include_rule_name',
])
const sourceMembers: ReadonlySet<string> = new Set(['type', 'path', 'key'])

export function readRules(text: string): readonly Rule[] {
  const list = parsed(text)
  if (!Array.isArray(list)) throw rulesFault(' must be a JSON array of rules')
  if (list.length > rulesMax) throw rulesFault(` must hold at most ${rulesMax} rules`)
  const names = new Set<string>()
  return list.map((value: unknown, at) => {
    const rule = readRule(value, at)
    if (names.has(rule.name)) throw rulesFault(`, rule ${at + 1}: name is that of an earlier rule`)
    names.add(rule.name)
    return rule
  })
}

function readRule(value: unknown, at: number): Rule {
  if (!isObject(value)) throw rulesFault(`, rule ${at + 1}: must be an object`)
  const name = new Members(value, `rule ${at + 1}`).checkedText('name', faultOfName)
  const members = new Members(value, `rule ${JSON.stringify(name)}`)
  members.refuseOthers(ruleMembers)
  return {
    name,
    enabled: members.flag('enabled', true),
    models: patterns(members, 'model_regex'),
    paths: patterns(members, 'path_regex'),
    userAgents: members
      .texts('user_agent_include', conditionsMax, faultOfAgent)
      .map((part) => part.toLowerCase()),
    sources: readSources(members),
    value: optionalPattern(members, 'value_regex'),
    ttlSeconds: members.count('ttl_seconds', secondsMax),
    skipRetry: members.flag('skip_retry_on_failure', false),
    byGroup: members.flag('include_using_group', false),
    byModel: members.flag('include_model_name', false),
    byRule: members.flag('include_rule_name', false),
  }
}

function patterns(members: Members, name: string): readonly Pattern[] {
  return members.texts(name, conditionsMax, faultOfPattern).map((source) => patternOf(source))
}

function optionalPattern(members: Members, name: string): Pattern | undefined {
  if (members.text(name) === '') return undefined
  return patternOf(members.checkedText(name, faultOfPattern))
}

function readSources(members: Members): readonly KeySource[] {
  const sources = members.objects('key_sources', sourcesMax).map(readSource)
  if (sources.length === 0) throw members.fault('key_sources', 'must say where the key stands')
  return sources
}

function readSource(members: Members): KeySource {
  members.refuseOthers(sourceMembers)
  const type = members.checkedText('type', faultOfType)
  const unused = type === 'gjson' ? ['key'] : type === 'user' ? ['key', 'path'] : ['path']
  for (const name of unused) {
    if (members.text(name) !== '') throw members.fault(name, `does not belong to the type ${type}`)
  }
  return sourceOf[type]!(members)
}

const sourceOf: Readonly<Record<string, (members: Members) => KeySource>> = {
  gjson: (members) => ({ kind: 'body', path: bodyPath(members.checkedText('path', faultOfPath)) }),
  request_header: (members) => ({
    kind: 'header',
    name: members.checkedText('key', faultOfHeader).toLowerCase(),
  }),
  user: () => ({ kind: 'user' }),
  context_int: contextSource,
  context_string: contextSource,
}

/** What the family's keys of its request context mean here. */
const contextKinds: Readonly<Record<string, 'user' | 'group'>> = {
  id: 'user',
  user_id: 'user',
  group: 'group',
}

function contextSource(members: Members): KeySource {
  return { kind: contextKinds[members.checkedText('key', faultOfContext)]! }
}

const faultOfType: FaultOf = (type) =>
  Object.hasOwn(sourceOf, type) ? undefined : `must be one of ${Object.keys(sourceOf).join(', ')}`

const faultOfName: FaultOf = (name) =>
  /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(name) ? undefined : 'must be 1 to 64 printable characters'

const faultOfAgent: FaultOf = (part) =>
  part.length > 0 && part.length <= 256 ? undefined : 'must have 1 to 256 characters'

const faultOfHeader: FaultOf = (name) =>
  /^[!#$%&'*+.^_`|~\w-]{1,128}$/.test(name) ? undefined : 'must be the name of a header'

const faultOfContext: FaultOf = (key) =>
  Object.hasOwn(contextKinds, key) ? undefined : 'must be one of id, user_id, group'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw rulesFault(' is not valid JSON')
  }
}
