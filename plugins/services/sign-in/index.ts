/** Signing in: from "they have shown who they are" to an open session, by way of the second factor where there is one. */

import type { Answer } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { concerning, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OneTimeTaken } from '../one-time/index.js'
import { flowCookie, flowIn, flowSeconds } from './flow-cookie.js'
import { signInResponse } from './response.js'
import type { SignIn, SignInMethod, SignInRequest } from './sign-in.js'
import { type Usable, usableAccount } from './user.js'

export type * from './sign-in.js'

const kind = 'sign-in'
const attemptsMax = 5

interface Way extends Usable {
  readonly method: SignInMethod | 'totp'
  /** For the audit log. */
  readonly detail: string
}

export default function create({
  services,
}: Kit<'database' | 'system' | 'identity' | 'factors' | 'one-time' | 'guesses'>): SignIn {
  const { identity, factors, system, guesses, 'one-time': oneTime } = services
  const { knex } = services.database
  const alwaysSecure = system.environment.cookieSecure === true

  async function begin(
    request: SignInRequest,
    userId: number,
    method: SignInMethod,
    since?: number,
  ): Promise<Answer> {
    const { account, epoch: now } = await usableAccount(knex, userId)
    const epoch = since ?? now
    const asksForMore = method === 'password' || method === 'oauth'
    if (!asksForMore || !(await factors.of(userId)).totp) {
      return opened(request, { account, epoch, method, detail: method })
    }
    const flow = await oneTime.issue({
      kind,
      userId,
      data: { method, epoch },
      seconds: flowSeconds,
    })
    const data = { require_2fa: true, flow_token: flow }
    const headers = { 'set-cookie': flowCookie(flow, request.secure || alwaysSecure) }
    return { answer: true, data, headers }
  }

  async function finish(request: SignInRequest, flowToken: string, code: string): Promise<Answer> {
    const flow = flowToken || flowIn(request.headers, request.secure || alwaysSecure)
    const { userId } = begun(await oneTime.attempt(kind, flow, attemptsMax))
    const known = await guesses.onDevice(request, userId, 'code')
    const by = known ? 'known' : 'stranger'
    const factor = await factors.check(userId, code, by).catch((error: unknown) => {
      throw concerning(error, `user ${userId}`)
    })
    // Whoever takes it signs in: of two right codes for one sign-in, one does.
    const { data } = begun(await oneTime.take(kind, flow))
    const { account } = await usableAccount(knex, userId)
    const epoch = Number(data.epoch)
    return opened(request, { account, epoch, method: 'totp', detail: `${data.method}, ${factor}` })
  }

  async function opened(request: SignInRequest, way: Way): Promise<Answer> {
    const { account, epoch, method, detail } = way
    const { address, secure, headers } = request
    // Only the cookie shows which session this browser had; an access token beside it is another's matter.
    const former = await identity.principal({
      headers: { cookie: headers.cookie },
      secure,
      beforeFactor: true,
    })
    const session = await identity.openSession({
      userId: account.id,
      method,
      address,
      userAgent: String(headers['user-agent'] ?? ''),
      secure,
      epoch,
    })
    if (former !== undefined) await identity.signOut(former)
    const device = guesses.deviceCookie(request, account.id)
    return {
      answer: true,
      data: account,
      headers: { 'set-cookie': [session.cookie, device, ...leftover(request)] },
      audit: { actor: session.principal, object: `user ${account.id}`, detail },
    }
  }

  /** Takes away the cookie of a second step that is over now. */
  function leftover({ headers, secure }: SignInRequest): readonly string[] {
    return flowIn(headers, false) === '' ? [] : [flowCookie('', secure || alwaysSecure)]
  }

  return { begin, finish, response: signInResponse }
}

function begun(taken: OneTimeTaken | undefined): OneTimeTaken & { readonly userId: number } {
  if (taken?.userId === undefined) throw new Refusal('sign_in_expired')
  return { ...taken, userId: taken.userId }
}
