/** One OAuth provider on the bench: created with settings, a scripted provider behind it, and one answer of a browser. */
import assert from 'node:assert/strict'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { OAuthAnswer, OAuthIdentity, OAuthProvider } from '../../kernel/contract/oauth.js'
import { declaredSettings, givenSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import type { OAuthRefusal, OAuthSubject } from './oauth.js'
import { type OutgoingWorld, outgoingWorld, type Script } from './outgoing.js'

export interface OAuthBench {
  readonly manifest: Manifest
  readonly provider: OAuthProvider
  readonly world: OutgoingWorld
  readonly answer: OAuthAnswer
  /** Secrets among the settings. */
  readonly secrets: readonly string[]
  identify(): Promise<OAuthIdentity>
  /** The error that kept everybody out. */
  refused(): Promise<Error>
}

export interface BenchTerms {
  readonly signIn?: OAuthRefusal
  /** In place of the subject's. */
  readonly settings?: JsonObject
  /** What the browser brings, in place of everything else. */
  readonly params?: Readonly<Record<string, string>>
  /** Stands before the script of the sign-in. */
  readonly script?: (usual: Script) => Script
}

/** Values that cannot be missed where they must not be. */
export const state = 'st_conformance-7Hq2.Zk~0Jx4NvB1mWc8_RtYx'
export const redirectUri = 'https://console.example/oauth/conformance?from=kit'
export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const nonce = 'nonce-conformance-5Lw9Qe3Tr7Yu1Io'
const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const code = 'code-conformance-8Fg4Hj6Kl2Zx0Cv'

const newYear = Date.UTC(2026, 0, 1)

export function bench(subject: OAuthSubject, terms: BenchTerms = {}): OAuthBench {
  const manifest = readManifest(subject.manifest, 'manifest.json')
  const values = terms.settings ?? subject.settings
  const settings = subject.copy
    ? givenSettings(manifest, values)
    : declaredSettings({ ...manifest, settings: withValues(manifest.settings, values) })
  const params = terms.params ?? { code, state, ...terms.signIn?.params }
  const answer = { params, redirectUri, codeVerifier, nonce, state }
  const usual: Script = (call) => terms.signIn?.upstream(call, answer)
  const script = terms.script?.(usual) ?? usual
  const world = outgoingWorld({ manifest, settings, script, now: subject.now ?? newYear })
  const provider = subject.create(world.kit)
  const fields = subject.copy ? manifest.instanceSettings : manifest.settings
  const secrets = fields
    .filter(({ type }) => type === 'secret')
    .flatMap(({ name }) => settings.string(name) || [])

  const identify = async () => provider.identify(answer)

  async function refused(): Promise<Error> {
    const outcome = await identify().catch((error: unknown) => error)
    assert.ok(outcome instanceof Error, 'it rejects with an error')
    return outcome
  }

  return { manifest, provider, world, answer, secrets, identify, refused }
}

/** Neither what the plugin threw nor what it logged tells a secret of the settings, of the browser or of the answers. */
export function assertQuiet({ secrets, world, answer }: OAuthBench, message: string): void {
  const reported = [message, ...world.logged].join('\n')
  const { params } = answer
  const fromBrowser = [params.code ?? '', params.hash ?? '', answer.codeVerifier]
  const canaries = [...secrets, ...fromBrowser, ...world.answers.flatMap(tokensOf)]
  for (const canary of canaries.filter((text) => text.length >= 8)) {
    assert.ok(!reported.includes(canary), 'neither errors nor log lines hold a secret')
  }
}

const tokenNames = ['access_token', 'refresh_token', 'id_token'] as const

function tokensOf({ json }: { readonly json?: Json }): string[] {
  if (!isObject(json)) return []
  return tokenNames.flatMap((name) => (typeof json[name] === 'string' ? [json[name]] : []))
}

function withValues(fields: Manifest['settings'], values: JsonObject): Manifest['settings'] {
  return fields.map((field) =>
    Object.hasOwn(values, field.name) ? { ...field, default: values[field.name] } : field,
  )
}
