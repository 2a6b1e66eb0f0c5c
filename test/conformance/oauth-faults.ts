/** Answers that must sign nobody in: each call of a sign-in broken in turn, and the member that states who it was. */
import assert from 'node:assert/strict'
import { isObject, type Json } from '../../kernel/contract/json.js'
import type { TestFunction } from './kit.js'
import type { OAuthSignIn, OAuthSubject } from './oauth.js'
import { assertQuiet, bench } from './oauth-bench.js'
import type { ScriptedAnswer } from './outgoing.js'

export function conformingFaults(test: TestFunction, subject: OAuthSubject): void {
  const signIn = subject.signIns[0]
  assert.ok(signIn, 'the subject brings a sign-in')
  conformingEmptyHands(test, subject, signIn)
  for (const [name, broken] of Object.entries(brokenAnswers)) {
    test(`an answer that is ${name} signs nobody in`, () => assertRefuses(subject, signIn, broken))
  }
  if (subject.subjectAt !== undefined) conformingSubject(test, subject, signIn)
}

/** A provider that redirects tells by `error` that the person stated no; a widget's fields are simply missing. */
function conformingEmptyHands(test: TestFunction, subject: OAuthSubject, signIn: OAuthSignIn) {
  const hands = {
    none: {},
    empty: { code: '', hash: '', id: '' },
    refusal: { error: 'access_denied' },
  }
  for (const [name, params] of Object.entries(hands)) {
    test(`a browser that brings ${name} signs nobody in, and nobody is called`, async () => {
      const at = bench(subject, { signIn, params })
      assertQuiet(at, (await at.refused()).message)
      const redeemed = at.world.calls.filter(({ method }) => method === 'POST')
      assert.deepEqual(redeemed, [])
    })
  }
}

const brokenAnswers: Readonly<Record<string, ScriptedAnswer | undefined>> = {
  'none at all': undefined,
  'an error with JSON': { status: 401, json: { error: 'invalid_client', message: 'No.' } },
  'an error with a page': { status: 500, text: '<html><h1>Oops</h1></html>' },
  'a page': { text: '<html><h1>Sign in</h1></html>' },
  'a redirect': { status: 302, headers: { location: 'https://elsewhere.example/' }, text: '' },
  'an error under status 200': {
    json: { error: 'bad_verification_code', error_description: 'The code is wrong or expired.' },
  },
  'an empty object': { json: {} },
  'an array': { json: [] },
  'JSON null': { json: null },
  nothing: { text: '' },
}

/** Each call of the sign-in gets the broken answer in turn, the others theirs. */
async function assertRefuses(
  subject: OAuthSubject,
  signIn: OAuthSignIn,
  broken: ScriptedAnswer | undefined,
): Promise<void> {
  const whole = bench(subject, { signIn })
  await whole.identify()
  for (const [broke, call] of whole.world.calls.entries()) {
    const at = bench(subject, {
      signIn,
      script: (usual) => (each, index) => (index === broke ? broken : usual(each, index)),
    })
    if (subject.optional?.(call)) {
      assert.equal((await at.identify()).subject, signIn.identity.subject)
      continue
    }
    assertQuiet(at, (await at.refused()).message)
  }
}

function conformingSubject(test: TestFunction, subject: OAuthSubject, signIn: OAuthSignIn): void {
  const nobody: Readonly<Record<string, Json | undefined>> = {
    missing: undefined,
    null: null,
    empty: '',
    blank: '  ',
    'an object': {},
    'an array': [],
    'a list of one': ['7'],
    true: true,
    'a fraction': 1.5,
    'too long': 'x'.repeat(256),
  }
  for (const [name, value] of Object.entries(nobody)) {
    test(`a subject that is ${name} is nobody's`, async () => {
      const at = withSubject(subject, signIn, (text) => text(value))
      assertQuiet(at, (await at.refused()).message)
    })
  }
  test('a subject that is a number becomes text, or is nobody’s', async () => {
    const at = withSubject(subject, signIn, (text) => text(481_516_234))
    assert.ok([undefined, '481516234'].includes(await subjectOf(at)))
  })
  test('two subjects that only differ behind what a number can hold are never one', async () => {
    const digits = '9007199254740993'
    const mark = 'conformance-mark'
    const at = withSubject(subject, signIn, (text) => text(mark).replace(`"${mark}"`, digits))
    assert.ok([undefined, digits].includes(await subjectOf(at)))
  })
}

async function subjectOf(at: ReturnType<typeof bench>): Promise<string | undefined> {
  const identity = await at.identify().catch(() => undefined)
  return identity?.subject
}

/** `make` gets a function that writes the answer's JSON with another subject, and answers the text to be sent. */
function withSubject(
  subject: OAuthSubject,
  signIn: OAuthSignIn,
  make: (text: (value: Json | undefined) => string) => string,
) {
  const { subjectAt } = subject
  return bench(subject, {
    signIn,
    script: (usual) => async (call, index) => {
      const answer = await usual(call, index)
      if (!subjectAt?.call(call) || !isObject(answer?.json)) return answer
      const { json, ...rest } = answer
      const text = make((value) => JSON.stringify({ ...json, [subjectAt.member]: value }))
      return { ...rest, text, headers: { 'content-type': 'application/json', ...rest.headers } }
    },
  })
}
