/** Users: what admins do to them (management/README.md section 4). */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { exact, noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OAuthBinding } from '../../services/oauth/index.js'
import { usersAccessTokens } from './access-tokens.js'
import { type Movement, moveBalance } from './balance.js'
import { factorStats } from './factor-stats.js'
import {
  type ManageForm,
  manageForm,
  type NewUserForm,
  newUserForm,
  type UserChanges,
  type UserSearch,
  userAccessToken,
  userBinding,
  userChanges,
  userId,
  userSearch,
} from './forms.js'
import { people } from './people.js'
import { mustBeRoot } from './rank.js'
import * as responses from './responses.js'
import { usersFound } from './search.js'
import { adminUserRecord, type UserRow } from './user-row.js'

export default function create({
  services,
}: Kit<
  | 'database'
  | 'changes'
  | 'identity'
  | 'ledger'
  | 'pricing'
  | 'factors'
  | 'registration'
  | 'verification'
  | 'oauth'
>): Management {
  const { database, identity, ledger, pricing, verification, factors, oauth } = services
  const users = people(services)
  const accessTokens = usersAccessTokens({ identity, users })

  async function list({ query }: ManagementRequest<UserSearch>) {
    const { rows, total } = await usersFound(database.knex, query)
    const items = await records(rows)
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function read(request: ManagementRequest) {
    const id = idOf(request)
    const row = await users.get(id)
    const [[own], wallets, { totp, passkeys }, bindings] = await Promise.all([
      records([row]),
      ledger.wallets([id]),
      factors.of(id),
      oauth.bindings(id),
    ])
    const held = exact(wallets.get(id)?.held ?? 0n)
    const ways = { has_password: row.password_hash !== '', two_factor: totp, passkeys }
    return { ...own, held, ...ways, bindings: bindings.map(bindingRecord) }
  }

  async function record(id: number) {
    return (await records([await users.get(id)]))[0]
  }

  async function records(rows: readonly UserRow[]) {
    const known = await identity.records(rows.map((row) => row.id))
    return rows.map((row) => adminUserRecord(row, known.get(row.id)))
  }

  async function createUser(request: ManagementRequest<unknown, NewUserForm>): Promise<Answer> {
    const form = request.body
    if (form.role >= signedIn(request).role) throw new Refusal('forbidden', { param: 'role' })
    knownGroup(form.group)
    const id = await users.create(form)
    const audit = { object: `user ${id}`, detail: `role ${form.role}` }
    return { answer: true, data: await record(id), audit }
  }

  async function update(request: ManagementRequest<unknown, UserChanges>): Promise<Answer> {
    const form = request.body
    if (form.group !== undefined) knownGroup(form.group)
    const { before, after } = await users.update(signedIn(request), form)
    const { id, ...changed } = form
    const audit = { object: `user ${id}`, detail: Object.keys(changed).join(' '), before, after }
    return { answer: true, data: await record(id), audit }
  }

  async function manage(request: ManagementRequest<unknown, ManageForm>): Promise<Answer> {
    const form = request.body
    if (form.action === 'add_quota') return changeBalance({ ...request, body: form })
    const { before, after } = await users.act(signedIn(request), form.id, form.action)
    const audit = { object: `user ${form.id}`, detail: form.action, before, after }
    return { answer: true, data: after, audit }
  }

  /** Money made by hand is root's alone, with a reason and a fresh proof (E8). */
  async function changeBalance(request: ManagementRequest<unknown, Movement>): Promise<Answer> {
    const { id, mode, value, remark } = request.body
    mustBeRoot(signedIn(request))
    const { role, status, deleted_at } = await users.get(id)
    if (deleted_at !== null) throw new Refusal('gone_missing', { what: 'user', param: 'id' })
    await verification.require(request, 'balance')
    const { before, after } = await moveBalance(services, request)
    const detail = `balance ${mode} ${value}: ${remark}`
    const states = { before: String(before), after: String(after) }
    const audit = { object: `user ${id}`, detail, ...states }
    return { answer: true, data: { role, status, quota: exact(after) }, audit }
  }

  async function remove(request: ManagementRequest): Promise<Answer> {
    const id = idOf(request)
    const { before, after } = await users.act(signedIn(request), id, 'delete')
    return { answer: true, data: null, audit: { object: `user ${id}`, before, after } }
  }

  function removeFactor(which: 'totp' | 'passkeys') {
    return async (request: ManagementRequest): Promise<Answer> => {
      const id = idOf(request)
      await users.removeFactor(signedIn(request), id, which)
      return { answer: true, data: null, audit: { object: `user ${id}`, detail: which } }
    }
  }

  async function endSessions(request: ManagementRequest): Promise<Answer> {
    const id = idOf(request)
    const ended = await users.endSessions(signedIn(request), id)
    const audit = { object: `user ${id}`, detail: String(ended) }
    return { answer: true, data: { ended }, audit }
  }

  async function unbind(request: ManagementRequest): Promise<Answer> {
    const id = idOf(request)
    const binding = String(request.params.binding_type)
    await users.unbind(signedIn(request), id, binding)
    return { answer: true, data: null, audit: { object: `user ${id}`, detail: binding } }
  }

  function knownGroup(group: string): void {
    if (pricing.groups().includes(group)) return
    const reason = `There is no group "${group}".`
    throw new Refusal('invalid_field', { reason, param: 'group' })
  }

  return {
    routes: {
      list: { query: userSearch, response: responses.userPage, handle: list },
      search: { query: userSearch, response: responses.userPage, handle: list },
      read: { params: userId, response: responses.wholeUser, handle: read },
      create: { body: newUserForm, response: responses.user, handle: createUser },
      update: { body: userChanges, response: responses.user, handle: update },
      manage: { body: manageForm, response: responses.standing, handle: manage },
      remove: { params: userId, response: noData, handle: remove },
      factorStats: { response: responses.factorStats, handle: () => factorStats(database) },
      removePasskeys: { params: userId, response: noData, handle: removeFactor('passkeys') },
      removeTwoFactor: { params: userId, response: noData, handle: removeFactor('totp') },
      accessTokens: {
        params: userId,
        response: responses.accessTokenList,
        handle: accessTokens.list,
      },
      removeAccessToken: {
        params: userAccessToken,
        response: noData,
        handle: accessTokens.remove,
      },
      endSessions: { params: userId, response: responses.endedSessions, handle: endSessions },
      unbind: { params: userBinding, response: noData, handle: unbind },
    },
  }
}

function bindingRecord({ provider, title, name, createdAt }: OAuthBinding) {
  return { provider, title, name, created_at: createdAt }
}

function idOf({ params }: ManagementRequest): number {
  return Number(params.id)
}
