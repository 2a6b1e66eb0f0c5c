/**
 * The conformance kit of guards. A guard brings its manifest, requests it lets through and requests it refuses; the kit plays the
 * line: records nobody can change, two requests at once, and bodies of every kind.
 */
import assert from 'node:assert/strict'
import type { Guard } from '../../kernel/contract/guard.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { GuardKit } from '../../kernel/contract/kit.js'
import type { StageName } from '../../kernel/contract/names.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import type { RefusalCode } from '../../kernel/toolkit/errors/refusal.js'
import { guardBench, type Verdict } from './guard-bench.js'
import { oddBodies } from './guard-bodies.js'
import { conformingManifest, runKit, type TestFunction, type TestRunner } from './kit.js'
import type { Script } from './outgoing.js'

export interface GuardSubject {
  /** Text of `manifest.json`. */
  readonly manifest: string
  readonly create: (kit: GuardKit) => Guard
  /** Values of its settings, as an admin would store them. Absent: the defaults. */
  readonly settings?: JsonObject
  /** Requests it lets through; one at least. */
  readonly passes: readonly GuardCase[]
  /** Requests it refuses. Empty: it only observes. */
  readonly refuses: readonly RefusedCase[]
  /** What the service it calls returns, for the requests above and any other. Absent: no call comes through. */
  readonly script?: Script
  /** Milliseconds a verdict may take here; default 1,000. The gateway waits for 30,000. */
  readonly withinMs?: number
}

export interface GuardCase {
  readonly name: string
  /**
   * Members in place of those of the kit's own request: a chat completion of user 7, as the record holds it before a channel is
   * chosen. A guard further down the line needs the members that stages before it add.
   */
  readonly record: Readonly<Record<string, unknown>>
}

export interface RefusedCase extends GuardCase {
  /** Absent: any. */
  readonly code?: RefusalCode
}

const stages: Readonly<Record<StageName, true>> = {
  ...{ auth: true, 'route-plan': true, 'channel-pick': true, mapping: true },
  ...{ override: true, 'pre-consume': true, upstream: true, settle: true },
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingGuard(runner: TestRunner, subject: GuardSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: GuardSubject): void {
  conformingManifest(test, subject.manifest, 'guard')
  conformingPlace(test, subject)
  for (const one of subject.passes) {
    test(`${one.name}: the request goes on`, async () => {
      assert.deepEqual(await judged(subject, one), { kind: 'passed' })
    })
  }
  for (const one of subject.refuses) {
    test(`${one.name}: the request is refused`, async () => {
      const verdict = await judged(subject, one)
      assert.ok(verdict.kind === 'refused', 'it throws a Refusal')
      if (one.code !== undefined) assert.equal(verdict.refusal.code, one.code)
    })
  }
  if (subject.script !== undefined) conformingOutage(test, subject)
  conformingTogether(test, subject)
  conformingOdd(test, subject)
}

/** What a guard throws beside a refusal refuses as well. */
function conformingOutage(test: TestFunction, subject: GuardSubject): void {
  for (const { name, record } of subject.refuses) {
    test(`${name}: a service that cannot be reached is no way through`, async () => {
      const { kind } = await guardBench({ ...subject, script: () => undefined }).judge(record)
      assert.ok(kind === 'refused' || kind === 'threw', 'the request does not go on')
    })
  }
}

function conformingPlace(test: TestFunction, subject: GuardSubject): void {
  test('its place is a stage of the line, and at the last one it only observes', () => {
    const { guards } = readManifest(subject.manifest, 'manifest.json')
    assert.ok(guards !== undefined && Object.hasOwn(stages, guards.stage), 'there is such a stage')
    if (guards.stage === 'settle') assert.deepEqual(subject.refuses, [], 'nobody waits for it')
  })
  test('it is tried with a request it lets through', () => {
    assert.ok(subject.passes.length > 0, 'one at least')
  })
  test('creating it logs nothing', () => {
    assert.deepEqual(guardBench(subject).logged, [])
  })
}

/** One guard serves all requests there are: none may meet what another left behind. */
function conformingTogether(test: TestFunction, subject: GuardSubject): void {
  test('verdicts of requests at the same time are those of each by itself', async () => {
    const cases: readonly GuardCase[] = [...subject.refuses, ...subject.passes]
    const twice = [...cases, ...[...cases].reverse()]
    const alone = await Promise.all(twice.map((one) => guardBench(subject).judge(one.record)))
    const bench = guardBench(subject)
    const together = await Promise.all(twice.map(({ record }) => bench.judge(record)))
    assert.deepEqual(together.map(wordOf), alone.map(wordOf))
  })
}

function conformingOdd(test: TestFunction, subject: GuardSubject): void {
  const [usual] = subject.passes
  for (const [name, body] of Object.entries(oddBodies)) {
    test(`${name}: it goes on or is refused, and nothing else is thrown`, async () => {
      await judged(subject, { name, record: { ...usual?.record, body } })
    })
  }
}

/** The verdict on a record nobody can change, and what holds of every verdict. */
async function judged(subject: GuardSubject, { record }: GuardCase): Promise<Verdict> {
  const bench = guardBench(subject)
  const verdict = await bench.judge(record)
  if (verdict.kind === 'threw') {
    const { error } = verdict
    throw new assert.AssertionError({ message: `it throws only a Refusal, not ${String(error)}` })
  }
  assert.notEqual(verdict.kind, 'late', 'it decides in time')
  assert.notEqual(verdict.kind, 'returned', 'it returns nothing: only a Refusal stops a request')
  bench.assertUnchanged()
  const words = [verdict.kind === 'refused' ? verdict.refusal.message : '', ...bench.logged]
  assert.ok(!words.join('\n').includes(bench.key), 'neither its words nor its log hold a key')
  return verdict
}

function wordOf(verdict: Verdict): string {
  return verdict.kind === 'refused' ? `refused ${verdict.refusal.code}` : verdict.kind
}
