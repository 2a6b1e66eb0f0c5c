/**
 * The conformance kit of OAuth providers. A plugin brings its manifest, settings an admin would store, and sign-ins
 * recorded from its provider; the kit plays the gateway, the browser and, by the script, the provider: once as
 * recorded, and then with every answer broken in every way that must not sign anybody in.
 */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type { OAuthAnswer, OAuthIdentity, OAuthProvider } from '../../kernel/contract/oauth.js'
import { conformingManifest, runKit, type TestFunction, type TestRunner } from './kit.js'
import { conformingAddress } from './oauth-address.js'
import { assertQuiet, bench, type OAuthBench } from './oauth-bench.js'
import { conformingFaults } from './oauth-faults.js'
import type { OutgoingCall, ScriptedAnswer } from './outgoing.js'

export interface OAuthSubject {
  /** Text of `manifest.json`. */
  readonly manifest: string
  readonly create: (kit: OutgoingKit) => OAuthProvider
  /** Values under which the provider is ready, as an admin would store them. */
  readonly settings: JsonObject
  /** The values are of `instanceSettings`: the kit tests a copy an admin defined. */
  readonly copy?: boolean
  /** What the address of a sign-in must carry as `client_id`. Absent: the provider is not one of redirects. */
  readonly clientId?: string
  /** The provider takes no PKCE: the kit asks for no challenge, nor for the verifier later. */
  readonly pkce?: false
  /** Unix milliseconds at which the clock stands; default 2026-01-01. */
  readonly now?: number
  /** Sign-ins that succeed; one at least. */
  readonly signIns: readonly OAuthSignIn[]
  /** Sign-ins that do not, for reasons only this provider has: a signature, a trust level, a wrong audience. */
  readonly refusals: readonly OAuthRefusal[]
  /**
   * Which answer states who it was, and in which member; the kit takes the member away and puts other things there.
   * Absent: no call states it (signed fields of a widget, an id token), and `refusals` cover it.
   */
  readonly subjectAt?: { readonly call: (call: OutgoingCall) => boolean; readonly member: string }
  /** Calls a sign-in can do without, such as one for addresses: when one fails, the same person signs in. */
  readonly optional?: (call: OutgoingCall) => boolean
}

export interface OAuthSignIn {
  readonly name: string
  /** What the browser brings back; `state` and, unless given, `code` are added. */
  readonly params?: Readonly<Record<string, string>>
  /** What the provider answers to each call. Undefined: it cannot be reached. */
  readonly upstream: (
    call: OutgoingCall,
    answer: OAuthAnswer,
  ) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>
  /** Who it must be: every member given here is compared. */
  readonly identity: Partial<OAuthIdentity> & Pick<OAuthIdentity, 'subject'>
}

export interface OAuthRefusal extends Omit<OAuthSignIn, 'identity'> {
  /** The settings where others than the subject's are needed. */
  readonly settings?: JsonObject
  /** What the plugin's error must say, for the log. */
  readonly message?: RegExp
}

/** Names every test at once; the promise resolves when they have ended. */
export function conformingOAuth(runner: TestRunner, subject: OAuthSubject): Promise<void> {
  return runKit(runner, (test) => conforming(test, subject))
}

function conforming(test: TestFunction, subject: OAuthSubject): void {
  conformingManifest(test, subject.manifest, 'oauth')
  conformingSettings(test, subject)
  conformingAddress(test, subject)
  for (const signIn of subject.signIns) conformingSignIn(test, subject, signIn)
  for (const refusal of subject.refusals) conformingRefusal(test, subject, refusal)
  conformingFaults(test, subject)
}

function conformingSettings(test: TestFunction, subject: OAuthSubject): void {
  test('its switch is a setting that is off by default', () => {
    const { manifest } = bench(subject)
    if (subject.copy || manifest.oauth?.switch === undefined) return
    const field = manifest.settings.find(({ name }) => name === manifest.oauth?.switch)
    assert.equal(field?.type, 'boolean')
    assert.notEqual(field?.default, true)
  })
  test('it is ready with its settings and not without them', () => {
    assert.equal(bench(subject).provider.ready(), true)
    assert.equal(bench(subject, { settings: {} }).provider.ready(), false)
  })
  test('creating it calls nobody', () => assert.equal(bench(subject).world.calls.length, 0))
}

function conformingSignIn(test: TestFunction, subject: OAuthSubject, signIn: OAuthSignIn): void {
  test(`${signIn.name}: it is who the provider names`, async () => {
    const at = bench(subject, { signIn })
    const identity = await at.identify()
    for (const [member, value] of Object.entries(signIn.identity)) {
      assert.deepEqual(identity[member as keyof OAuthIdentity], value, member)
    }
    assertSound(identity)
    assertQuiet(at, '')
    assertCalls(subject, at)
  })
  test(`${signIn.name}: nothing is kept of a sign-in that the next one could meet`, async () => {
    const at = bench(subject, { signIn })
    const [one, other] = await Promise.all([at.identify(), at.identify()])
    assert.deepEqual(one, other)
  })
}

function assertSound({ subject, username, displayName, email, emailVerified }: OAuthIdentity) {
  assert.equal(typeof subject, 'string', 'a subject is text')
  assert.ok(subject !== '' && subject.length <= 255, 'a subject has 1 to 255 characters')
  for (const text of [username, displayName, email]) {
    assert.ok(text === undefined || typeof text === 'string', 'names and addresses are text')
  }
  if (emailVerified === true) assert.ok(email, 'only an address can be vouched for')
}

/** The real rules for hosts were queried already: a call elsewhere never got here. */
function assertCalls(subject: OAuthSubject, { world, answer, secrets }: OAuthBench): void {
  for (const { url, headers } of world.calls) {
    assert.match(headers.accept ?? '', /application\/json/, `${url.host} is requested as JSON`)
    for (const secret of secrets) {
      assert.ok(!url.href.includes(encodeURIComponent(secret)), 'no secret stands in an address')
    }
  }
  if (subject.pkce === false || subject.clientId === undefined) return
  const verifier = encodeURIComponent(answer.codeVerifier)
  assert.ok(
    world.calls.some(({ method, body }) => method === 'POST' && body.includes(verifier)),
    'the code is redeemed with its verifier',
  )
}

function conformingRefusal(test: TestFunction, subject: OAuthSubject, refusal: OAuthRefusal): void {
  test(`${refusal.name}: nobody signs in`, async () => {
    const at = bench(subject, { signIn: refusal, settings: refusal.settings })
    const error = await at.refused()
    assertQuiet(at, error.message)
    if (refusal.message !== undefined) assert.match(error.message, refusal.message)
  })
}
