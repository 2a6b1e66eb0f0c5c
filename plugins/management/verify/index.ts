/**
 * `/api/verify`: before a sensitive operation the person in a session shows anew who they are. Who has a second factor
 * shows that one; a password suffices for those who have none, whatever the operation (AUTH-4, AUTH-5).
 */
import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { LiveSession, Scope } from '../../services/verification/index.js'
import { sessionState, waysForm } from './responses.js'
import { type Method, waysToVerify } from './ways.js'

type VerifyForm = { readonly scope: Scope } & (
  | { readonly method: 'password'; readonly password: string }
  | { readonly method: '2fa'; readonly code: string }
  | { readonly method: 'session' }
)

/** How long a console may believe its session stands without asking (UI-2). */
const windowSeconds = 30

export default function create({
  services,
  clock,
}: Kit<'database' | 'identity' | 'factors' | 'guesses' | 'verification'>): Management {
  const { identity, factors, guesses, verification } = services
  const waysOf = waysToVerify({ ...services, clock })
  const scope = joi.valid(...verification.scopes)

  async function verify(request: ManagementRequest<unknown, VerifyForm>) {
    const form = request.body
    const session = verification.session(request)
    requireOneOf(await waysOf(session), form.method)
    const recovered = (await check(session, form)) === 'recovery'
    const answer = await verification.answer(request, form)
    const detail = `${answer.audit?.detail ?? ''}${recovered ? ', recovery' : ''}`
    return { ...answer, audit: { ...answer.audit, detail } }
  }

  async function check(session: LiveSession, form: VerifyForm): Promise<string> {
    if (form.method === 'session') return form.method
    const { userId } = session
    await guesses.inSession(session, form.method === '2fa' ? 'code' : 'password')
    if (form.method === '2fa') return factors.check(userId, form.code, 'known')
    if (!(await identity.hasPassword(userId, form.password))) {
      throw new Refusal('verification_failed')
    }
    return form.method
  }

  async function methods(request: ManagementRequest<{ readonly scope?: Scope }>) {
    return { methods: await waysOf(verification.session(request)), ...request.query }
  }

  function status(request: ManagementRequest) {
    verification.session(request)
    return { verified: true, window_seconds: windowSeconds }
  }

  return {
    routes: {
      verify: { body: verifyForm(scope), response: verification.response, handle: verify },
      methods: { query: joi.object({ scope }), response: waysForm(scope), handle: methods },
      status: { response: sessionState, handle: status },
    },
  }
}

function verifyForm(scope: joi.Schema): joi.ObjectSchema {
  const only = (method: Method, field: joi.StringSchema) =>
    // biome-ignore lint/suspicious/noThenProperty: joi's own word.
    joi.when('method', { is: method, then: field, otherwise: joi.any().strip() })
  return joi
    .object({
      scope: scope.required(),
      method: joi.valid('password', '2fa', 'session').required(),
      password: only('password', joi.string().max(1024).required()),
      code: only('2fa', joi.string().trim().max(32).required()),
    })
    .required()
}

function requireOneOf(ways: readonly Method[], method: Method): void {
  if (ways.includes(method)) return
  if (ways.includes('2fa') || ways.includes('passkey')) throw new Refusal('factor_required')
  const reason =
    ways.length === 0
      ? 'This account has neither password nor second factor: sign in again and verify within ten minutes by the method "session".'
      : `This account verifies by the method "${ways.join('", "')}".`
  throw new Refusal('invalid_field', { reason, param: 'method' })
}
