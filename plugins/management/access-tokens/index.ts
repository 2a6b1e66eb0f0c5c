/** The caller's own access tokens: made in a session with a proof, listed, and ended. */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, requireScope, signedIn } from '../../../kernel/toolkit/management/index.js'
import { accessTokenId, type NewAccessToken, newAccessToken } from './forms.js'
import { accessTokenList, lifetimes, newAccessTokenMade, usableScopeList } from './responses.js'
import { usableScopes } from './usable-scopes.js'

const rootRole = 100

export default function create({
  services,
}: Kit<'catalog' | 'identity' | 'verification'>): Management {
  const { catalog, identity, verification } = services
  const { accessTokens } = identity

  async function list(request: ManagementRequest): Promise<Answer> {
    const held = await accessTokens.list(signedIn(request).userId)
    const { days, daysMax } = accessTokens.lifetimes()
    const beside = { days_default: days, days_max: daysMax }
    return { answer: true, data: held, beside }
  }

  async function make(request: ManagementRequest<unknown, NewAccessToken>): Promise<Answer> {
    const { userId, sessionId, role } = verification.session(request)
    const { name, scopes, lifetime_days: lifetimeDays } = request.body
    refuseUseless(scopes, role)
    const dailyCredit = dailyCreditOf(request.body, role)
    await verification.require(request, 'access_token')
    const made = await accessTokens.create({
      ...{ userId, sessionId, name, scopes, lifetimeDays, dailyCredit },
    })
    const headers = { 'cache-control': 'no-store' }
    const credit = dailyCredit === undefined ? '' : `, moves ${dailyCredit} a day`
    const detail = `access token ${made.id} "${name}": ${made.scopes.join(' ')}${credit}`
    return { answer: true, data: made, headers, audit: { object: `user ${userId}`, detail } }
  }

  /** A scope that opens nothing is a mistake of whoever requests it. */
  function refuseUseless(scopes: readonly string[], role: number): void {
    const usable = new Set(usableScopes(catalog.routes(), role).map(({ scope }) => scope))
    const useless = scopes.find((scope) => !usable.has(scope))
    if (useless === undefined) return
    const reason = `The scope "${useless}" opens nothing to you.`
    throw new Refusal('invalid_field', { reason, param: 'scopes' })
  }

  /** No proof is required, so that a script whose token leaked can end it by the token itself, whatever its scopes. */
  async function remove(request: ManagementRequest): Promise<Answer> {
    const caller = signedIn(request)
    const id = Number(request.params.id)
    if (caller.accessToken?.id !== id) requireScope(caller, 'account:write')
    const ended = await accessTokens.end(caller.userId, { id })
    if (ended === undefined) throw new Refusal('gone_missing', { what: 'access token' })
    const detail = `access token ${ended.id} "${ended.name}"`
    return { answer: true, data: null, audit: { object: `user ${caller.userId}`, detail } }
  }

  return {
    routes: {
      list: { response: accessTokenList, beside: lifetimes, handle: list },
      create: { body: newAccessToken, response: newAccessTokenMade, handle: make },
      remove: { params: accessTokenId, response: noData, handle: remove },
      scopes: {
        response: usableScopeList,
        handle: (request) => usableScopes(catalog.routes(), signedIn(request).role),
      },
    },
  }
}

/** A right of root's alone, for tokens that may call what moves balances (E8). */
function dailyCreditOf({ daily_credit, scopes }: NewAccessToken, role: number): bigint | undefined {
  if (daily_credit === undefined) return undefined
  const fail = (reason: string) => new Refusal('invalid_field', { reason, param: 'daily_credit' })
  if (role < rootRole) throw fail('Tokens that move balances are those of root.')
  if (scopes.includes('all') || scopes.includes('users:write')) return BigInt(daily_credit)
  throw fail('A token that moves balances needs the scope "users:write".')
}
