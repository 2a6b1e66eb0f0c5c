/**
 * The conformance kit of notifiers. A plugin brings its manifest and the fields a user would set; the kit plays the
 * gateway and the receiver: one that takes the notice, puts it off, refuses it, points elsewhere or never answers.
 */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type { Notifier } from '../../kernel/contract/notifier.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { conformingManifest, runKit, type TestFunction, type TestRunner } from './kit.js'
import { type NotifierBench, notice, notifierBench, retrySeconds } from './notifier-bench.js'

/** What the receiver does. */
export type Played = 'delivered' | 'later' | 'refused' | 'redirect' | 'silence'

export interface NotifierSubject {
  /** Text of `manifest.json`. */
  readonly manifest: string
  readonly create: (kit: OutgoingKit) => Notifier
  /** Values of its own settings, as an admin would store them. */
  readonly settings?: JsonObject
  /** Fields with which it can deliver, as a user would set them. Its secrets must be words nothing else states. */
  readonly target: JsonObject
  /** Fields it must refuse, and the field each is at fault in. */
  readonly faults: readonly { readonly target: JsonObject; readonly field: string }[]
  /** Not by HTTP: a connection to a receiver that does this. */
  readonly dial?: (played: Played) => Promise<Socket>
}

/** Within this time any delivery has an outcome. */
const deadlineMs = 30_000

/** Names every test at once; the promise resolves when they have ended. */
export function conformingNotifier(runner: TestRunner, subject: NotifierSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: NotifierSubject): void {
  conformingManifest(test, subject.manifest, 'notifier')
  conformingFields(test, subject)
  test('a notice that is taken is delivered, by one call', async () => {
    const at = notifierBench(subject, 'delivered')
    assert.deepEqual(await at.deliver(), { kind: 'delivered' })
    assert.equal(at.addresses.length, 1)
    assertQuiet(at, subject, '')
  })
  test('a receiver that is busy is queried again later, when it states so', async () => {
    const at = notifierBench(subject, 'later')
    const outcome = await at.deliver()
    assert.equal(outcome.kind, 'later')
    assert.ok(outcome.kind === 'later')
    if (subject.dial === undefined) assert.equal(outcome.afterMs, retrySeconds * 1000)
    assertQuiet(at, subject, outcome.reason)
  })
  for (const played of ['refused', 'redirect'] as const) {
    if (played === 'redirect' && subject.dial !== undefined) continue
    test(`${played}: the notice is refused, and nobody else is called`, async () => {
      const at = notifierBench(subject, played)
      const outcome = await at.deliver()
      assert.equal(outcome.kind, 'refused')
      assert.equal(at.addresses.length, 1)
      assertQuiet(at, subject, outcome.kind === 'refused' ? outcome.reason : '')
    })
  }
  test(`a receiver that never answers is left within ${deadlineMs / 1000} s`, async () => {
    const at = notifierBench(subject, 'silence')
    const delivering = at.deliver()
    await at.pending
    at.clock.advance(deadlineMs)
    const outcome = await delivering
    assert.equal(outcome.kind, 'later')
    assert.equal(at.clock.pending, 0, 'no timer is left')
    assertQuiet(at, subject, outcome.kind === 'later' ? outcome.reason : '')
  })
  test('a notice changes nothing of the address but what stands for it', async () => {
    const hosts = async (title: string) => {
      const at = notifierBench(subject, 'delivered')
      await at.deliver({ ...notice, title })
      return at.addresses.map((address) => originOf(address))
    }
    assert.deepEqual(await hosts('@evil.example/..'), await hosts('plain'))
  })
}

function conformingFields(test: TestFunction, subject: NotifierSubject): void {
  const { userSettings, hosts } = readManifest(subject.manifest, 'manifest.json')
  test('its fields have names nobody else has, and its hosts are users’ or an admin’s', () => {
    const id = readManifest(subject.manifest, 'manifest.json').id.slice('notifier.'.length)
    for (const { name } of userSettings) assert.ok(name.includes(id), `${name} names ${id}`)
    for (const host of hosts) assert.notEqual(host, 'channel')
    for (const name of Object.keys(subject.target)) {
      assert.ok(
        userSettings.some((field) => field.name === name),
        `${name} is a field`,
      )
    }
  })
  test('creating it, and looking at fields, calls nobody', () => {
    const at = notifierBench(subject, 'delivered')
    assert.equal(at.notifier.faultOf?.(subject.target), undefined)
    assert.notEqual(at.notifier.ready?.(), false)
    assert.equal(at.addresses.length, 0)
  })
  for (const { target, field } of subject.faults) {
    test(`a fault is reported by its field: ${JSON.stringify(target).slice(0, 80)}`, () => {
      const fault = notifierBench(subject, 'delivered').notifier.faultOf?.(target)
      assert.match(fault ?? '', new RegExp(`^${field} .*\\.$`))
      for (const secret of secretsOf(subject)) assert.ok(!fault?.includes(secret))
    })
  }
}

function secretsOf({ manifest, settings = {}, target }: NotifierSubject): readonly string[] {
  const declared = readManifest(manifest, 'manifest.json')
  const named = [
    ...declared.settings.map((field) => [field, settings[field.name]] as const),
    ...declared.userSettings.map((field) => [field, target[field.name]] as const),
  ]
  return named.flatMap(([{ type }, value]) => (type === 'secret' && value ? [String(value)] : []))
}

/** Secrets stand in no address, no reason and no line of the log. */
function assertQuiet(at: NotifierBench, subject: NotifierSubject, reason: string): void {
  for (const secret of secretsOf(subject)) {
    for (const text of [reason, ...at.addresses, ...at.logged]) assert.ok(!text.includes(secret))
  }
  assert.doesNotMatch(reason, /https?:|[\r\n]|xxxx/, 'nothing a receiver or a user wrote')
}

function originOf(address: string): string {
  return address.includes('://') ? new URL(address).origin : address
}
