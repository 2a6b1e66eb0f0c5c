/** Reads from a provider who somebody is: its answer is logged without secrets, and the browser is shown a sentence of ours. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { OAuthIdentity, TypedWrong } from '../../../kernel/contract/oauth.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OAuthSource } from '../../services/oauth/index.js'
import type { Brought } from './forms.js'
import type { Begun } from './states.js'

export interface IdentityRequest {
  readonly source: OAuthSource
  readonly begun: Begun
  readonly brought: Brought
}

export async function requestIdentity(
  { source, begun, brought }: IdentityRequest,
  log: Log,
): Promise<OAuthIdentity> {
  const { provider, title } = source
  if (brought.error === 'access_denied') {
    const reason = `The sign-in was refused at ${title}.`
    throw new Refusal('invalid_request', { reason, param: 'error' })
  }
  const { state = '', ...params } = brought
  const secrets = [...Object.values(brought), begun.codeVerifier, begun.nonce]
  const failed = (reason: string): Refusal => {
    const given = { provider, reason: without(secrets, reason) }
    log.warn(given, 'a sign-in provider did not say who somebody is')
    return new Refusal('oauth_failed')
  }
  if (brought.error !== undefined) throw failed(`it sent the error ${faultIn(brought.error)}`)
  const { redirectUri, codeVerifier, nonce } = begun
  const answer = { params, redirectUri, codeVerifier, nonce, state }
  const identity = await source.plugin.identify(answer).catch((error: unknown) => {
    const reported = failed(error instanceof Error ? error.message : String(error))
    throw source.style === 'code' ? (typedWrong(error, source) ?? reported) : reported
  })
  if (!isSubject(identity.subject)) throw failed('it named a subject that is none')
  if (!source.admits(identity)) throw new Refusal('forbidden')
  return identity
}

/** Whoever typed something wrong is shown the field; who is at fault otherwise is the provider. */
function typedWrong(error: unknown, { title }: OAuthSource): Refusal | undefined {
  const { field } = error as Partial<TypedWrong>
  if (typeof field !== 'string') return undefined
  const reason = `This is not a code ${title} gave out just now. Ask for a new one there.`
  return new Refusal('invalid_field', { reason, param: field })
}

function faultIn(error: string): string {
  return /^[a-z_]{1,64}$/.test(error) ? error : 'without a name'
}

/** Plugins are code from outside, and the database takes no NUL. */
function isSubject(subject: unknown): boolean {
  return typeof subject === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject)
}

const secretLengthMin = 6

function without(secrets: readonly string[], text: string): string {
  const long = secrets.filter(({ length }) => length >= secretLengthMin)
  return long.reduce((words, secret) => words.replaceAll(secret, '…'), text)
}
