/** What the tests of the built-in OAuth providers share: manifests from the tree, and one sign-in on the bench. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OAuthSubject, OutgoingCall, ScriptedAnswer } from '../../conformance/index.js'
import { bench } from '../../conformance/oauth-bench.js'

export function manifestText(name: string): string {
  const place = new URL(`../../../plugins/oauth/${name}/manifest.json`, import.meta.url)
  return readFileSync(place, 'utf8')
}

type Answers = Readonly<Record<string, ScriptedAnswer>>

/** Answers by path; a path nobody recorded cannot be reached. */
export function byPath(answers: Answers) {
  return ({ url: { pathname } }: OutgoingCall): ScriptedAnswer | undefined => answers[pathname]
}

/** The first sign-in of a subject, with what it queried and the answers of some paths replaced. */
export async function signIn(
  subject: OAuthSubject,
  { answers = {}, settings }: { readonly answers?: Answers; readonly settings?: JsonObject } = {},
) {
  const usual = subject.signIns[0]!
  const at = bench(subject, {
    settings,
    signIn: {
      ...usual,
      upstream: (call, answer) => answers[call.url.pathname] ?? usual.upstream(call, answer),
    },
  })
  const identity = await at.identify()
  return { identity, calls: at.world.calls, logged: at.world.logged, answer: at.answer }
}
