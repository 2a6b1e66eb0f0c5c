/** A changed public type is found, and named as the addition or the break it is. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Change {
  readonly name: string
  /** Which report, what is replaced in it, and by what. */
  readonly edit: readonly [report: string, from: string, to: string]
  /** How a sentence begins, and what it names. */
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
    expected: /^break: Notifier of waybill\/contract: .*Types of property 'ready' are incompatible/,
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
      'export { normalBase }',
      "export { modelSegment as part } from './address.js'\nexport { normalBase }",
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
  {
    name: 'a function is exported as a type alone',
    edit: ['toolkit-provider', 'export { modelSegment }', 'export { type modelSegment }'],
    expected: /^break: modelSegment of waybill\/toolkit\/provider: it is exported as a type alone/,
  },
  {
    name: 'a type parameter is restricted further',
    edit: [
      'contract',
      'interface Guard<Met extends object',
      'interface Guard<Met extends { path: string }',
    ],
    expected: /^break: Guard of waybill\/contract: its type parameter 1 is restricted to/,
  },
  {
    name: 'a type parameter that is left out stands for another type',
    edit: ['contract', 'object = Shown<Received>', 'object = Shown<Received & { zone: string }>'],
    expected:
      /^break: Guard of waybill\/contract: its type parameter 1 no longer is "Shown<Received>"/,
  },
  {
    name: 'a required member is added to a stage',
    edit: ['contract-line', 'run(state: In)', 'name: string;\n    run(state: In)'],
    expected: /^break: Stage of waybill\/contract\/line: Property 'name' is missing/,
  },
]

/**
 * What the check states of all changes that no other one hides: those of one name are compared one after the other. The
 * last list is of a report that did not change.
 */
function statedOf(all: readonly Change[]): readonly (readonly string[])[] {
  const script = `
    import { compareReports, readReports } from './config/checks/contract-report.mjs'
    const released = readReports()
    const stated = ${JSON.stringify(passesOf(all))}.map((edits) => {
      const current = new Map(released)
      for (const [name, from, to] of edits) {
        if (!current.get(name).includes(from)) throw new Error(from + ' is not in the report')
        current.set(name, current.get(name).replace(from, () => to))
      }
      return compareReports(released, current).faults
    })
    console.log(JSON.stringify([...stated, compareReports(released, released).faults]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

/** Each edit in the first pass that does not hold another one of the same name. */
function passesOf(all: readonly Change[]): readonly (readonly Change['edit'][])[] {
  const passes: { readonly names: Set<string>; readonly edits: Change['edit'][] }[] = []
  for (const { edit, expected } of all) {
    const name = /: (\w+) of/.exec(expected.source)?.[1] ?? ''
    let pass = passes.find(({ names }) => !names.has(name))
    if (pass === undefined) {
      pass = { names: new Set(), edits: [] }
      passes.push(pass)
    }
    pass.names.add(name)
    pass.edits.push(edit)
  }
  return passes.map(({ edits }) => edits)
}

t.test('a change of the public types is an addition or a break, and is named', (t) => {
  const stated = statedOf(changes)
  const sentences = stated.flat()
  for (const { name, expected } of changes) {
    t.ok(
      sentences.some((sentence) => expected.test(sentence)),
      name,
      { found: sentences },
    )
  }
  for (const of of stated.slice(0, -1))
    t.match(of.at(-1) ?? '', /CHANGES\.md/, 'what to do is stated')
  t.strictSame(stated.at(-1), [], 'what did not change is no fault')
  t.end()
})
