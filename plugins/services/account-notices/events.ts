/** Which lines of the audit log are about an account, and about whose. */
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'

export type EventKind =
  | 'password_changed'
  | 'password_login_changed'
  | 'email_changed'
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'access_token_made'
  | 'api_key_made'
  | 'sessions_ended'
  | 'new_sign_in'

/** What owners read of besides: it is counted and sends no notice. */
type FailureKind = 'failed_sign_ins' | 'failed_proofs'

export type SecurityEventKind = EventKind | FailureKind

export interface AccountEvent<Kind extends SecurityEventKind = SecurityEventKind> {
  readonly kind: Kind
  /** Whose account. */
  readonly userId: number
  /** Address it was done from. */
  readonly at: string
  /** A further detail, a word or a number. */
  readonly detail?: string
  /** Mail address the account had before, where it was shown to be its owner's. */
  readonly formerAddress?: string
}

type Test = (detail: string) => boolean
const always: Test = () => true
const names =
  (word: string): Test =>
  (detail) =>
    detail.split(/[\s,]+/).includes(word)

/** By action; what counts besides the action stands in the detail. */
const kinds: Readonly<Record<string, readonly [EventKind, Test]>> = {
  'account.update': ['password_changed', names('password')],
  'users.update': ['password_changed', names('password')],
  'registration.reset': ['password_changed', always],
  'account.passwordLogin': ['password_login_changed', always],
  'registration.bindEmail': ['email_changed', always],
  'registration.bindEmailAlias': ['email_changed', always],
  'users.unbind': ['email_changed', names('email')],
  'two-factor.enable': ['factor_added', always],
  'two-factor.disable': ['factor_removed', always],
  'users.removeTwoFactor': ['factor_removed', always],
  'two-factor.renewCodes': ['recovery_codes_made', always],
  'session.secondStep': ['recovery_code_used', names('recovery')],
  'verify.verify': ['recovery_code_used', names('recovery')],
  'passkeys.registerFinish': ['passkey_added', always],
  'passkeys.remove': ['passkey_removed', always],
  'passkeys.removeAll': ['passkey_removed', always],
  'users.removePasskeys': ['passkey_removed', always],
  'account.newAccessToken': ['access_token_made', always],
  'access-tokens.create': ['access_token_made', always],
  'tokens.create': ['api_key_made', always],
  'users.endSessions': ['sessions_ended', always],
}

const signIns: ReadonlySet<string> = new Set([
  'session.login',
  'session.secondStep',
  'passkeys.loginFinish',
  'oauth.finish',
  'oauth.finishByPost',
])

export function eventOf(entry: AuditEntry): AccountEvent<EventKind> | undefined {
  const [kind, counts] = kinds[entry.action] ?? []
  if (kind === undefined || !counts?.(entry.detail ?? '')) return undefined
  const userId = ownerOf(entry)
  if (userId === undefined) return undefined
  const detail = kind === 'sessions_ended' ? entry.detail : undefined
  return { kind, userId, at: entry.address, detail, formerAddress: formerAddress(entry.before) }
}

/** Whose sign-in or proof it was that failed; undefined: nobody's account was meant. */
export function failureOf({ action, object, address }: AuditEntry) {
  const userId = userNamed(object)
  if (userId === undefined) return undefined
  const isSignIn = signIns.has(action.replace(/\.failed$/, ''))
  const kind: FailureKind = isSignIn ? 'failed_sign_ins' : 'failed_proofs'
  return { kind, userId, address }
}

/** Whose sign-in it may be; undefined: none. */
export function isSignIn(entry: AuditEntry): number | undefined {
  return signIns.has(entry.action) ? ownerOf(entry) : undefined
}

/** The account it was done to; where the object is a thing of theirs, who did it. */
function ownerOf({ object, actor, principal }: AuditEntry): number | undefined {
  return userNamed(object) ?? (actor ?? principal)?.userId
}

function userNamed(object = ''): number | undefined {
  const named = /^user (\d{1,9})$/.exec(object)?.[1]
  return named === undefined ? undefined : Number(named)
}

function formerAddress(before: unknown): string | undefined {
  if (typeof before !== 'object' || before === null || !('email' in before)) return undefined
  return typeof before.email === 'string' && before.email !== '' ? before.email : undefined
}
