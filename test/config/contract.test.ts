/** A changed public type is found, and named as the addition or the break it is. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Change {
  readonly name: string
  /** Which report, what is replaced in it, and by what. */
  readonly edit: readonly [report: string, from: string, to: string]
  /** How the first sentence begins, and what it names. */
  readonly expected: RegExp
}

const changes: readonly Change[] = [
  {
    name: 'a member of what authors are given is removed',
    edit: [
      'contract',
      '    readonly baseUrl: string;\n    readonly settings',
      '    readonly settings',
    ],
    expected: /^break: ChannelView of waybill\/contract: it no longer has "baseUrl"/,
  },
  {
    name: 'an optional member is removed',
    edit: ['contract', '    readonly renewedKey?: string;\n', ''],
    expected: /^break: Credentials of waybill\/contract: it no longer has "renewedKey"/,
  },
  {
    name: 'an optional member of an object without a name is removed',
    edit: [
      'contract',
      '        readonly field: string;\n        readonly is: Json;',
      '        readonly is: Json;',
    ],
    expected: /^break: SettingField of waybill\/contract: it no longer has "when.field"/,
  },
  {
    name: 'a member authors write becomes required',
    edit: ['contract', 'ready?(): boolean', 'ready(): boolean'],
    expected: /^break: Notifier of waybill\/contract: Property 'ready' is (?:missing|optional)/,
  },
  {
    name: 'a member authors write is added and may be left out',
    edit: ['contract', 'ready?(): boolean', 'readyAt?: number;\n    ready?(): boolean'],
    expected: /^addition: Notifier of waybill\/contract changed/,
  },
  {
    name: 'a required member is added to what authors are given',
    edit: ['contract', 'monotonic(): number', 'zone: string;\n    monotonic(): number'],
    expected: /^addition: Clock of waybill\/contract changed/,
  },
  {
    name: 'a required member is added to what authors write',
    edit: ['contract', 'ready?(): boolean', 'readyAt: number;\n    ready?(): boolean'],
    expected: /^break: Notifier of waybill\/contract: Property 'readyAt' is missing/,
  },
  {
    name: 'what authors are given may be missing',
    edit: ['contract', 'readonly state: string;', 'readonly state?: string;'],
    expected: /^break: AuthorizationRequest of waybill\/contract: /,
  },
  {
    name: 'a parameter of a function of the kit takes less',
    edit: ['contract', 'dial(host: string, port: number)', 'dial(host: "local", port: number)'],
    expected: /^break: OutgoingKit of waybill\/contract: /,
  },
  {
    name: 'a parameter authors are called with may be more',
    edit: ['contract', 'faultOf?(target: JsonObject)', 'faultOf?(target: JsonObject | null)'],
    expected: /^break: Notifier of waybill\/contract: /,
  },
  {
    name: 'a word is added to those authors return',
    edit: ['contract', "kind: 'delivered';", "kind: 'delivered' | 'read';"],
    expected: /^addition: NoticeOutcome of waybill\/contract changed/,
  },
  {
    name: 'a word authors may return is gone',
    edit: ['contract', " | 'pause'", ''],
    expected: /^break: Stop of waybill\/contract: /,
  },
  {
    name: 'an export has another name',
    edit: ['toolkit-provider', 'export { upstreamUrl }', 'export { upstreamUrl as urlAt }'],
    expected: /^break: upstreamUrl of waybill\/toolkit\/provider is no longer exported/,
  },
  {
    name: 'a function is new',
    edit: [
      'toolkit-provider',
      'export { upstreamUrl }',
      'export { modelSegment as part }\nexport { upstreamUrl }',
    ],
    expected: /^addition: part of waybill\/toolkit\/provider is new/,
  },
  {
    name: 'a function of the toolkit takes one parameter more',
    edit: [
      'toolkit-provider',
      'normalBase(baseUrl: string)',
      'normalBase(baseUrl: string, path: string)',
    ],
    expected: /^break: normalBase of waybill\/toolkit\/provider: /,
  },
  {
    name: 'a service loses a function',
    edit: ['contract-services', 'everyLeased(', 'leased('],
    expected: /^break: Schedule of waybill\/contract\/services: it no longer has "everyLeased"/,
  },
]

/** What the check states of each change, and at last of none. */
function statedOf(edits: readonly Change['edit'][]): readonly (readonly string[])[] {
  const script = `
    import { compareReports, readReports } from './config/checks/contract-report.mjs'
    const released = readReports()
    const stated = ${JSON.stringify(edits)}.map(([name, from, to]) => {
      const text = released.get(name)
      if (!text.includes(from)) return ['nothing was replaced']
      const current = new Map(released).set(name, text.replace(from, () => to))
      return compareReports(released, current).faults
    })
    console.log(JSON.stringify([...stated, compareReports(released, released).faults]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

t.test('a change of the public types is an addition or a break, and is named', (t) => {
  const stated = statedOf(changes.map(({ edit }) => edit))
  for (const [index, { name, expected }] of changes.entries()) {
    const [first = '', ...others] = stated[index] ?? []
    t.match(first, expected, name)
    t.match(others.at(-1) ?? '', /CHANGES\.md/, `${name}: what to do is stated`)
  }
  t.strictSame(stated.at(-1), [], 'what did not change is no fault')
  t.end()
})
