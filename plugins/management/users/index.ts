/** Users: signing in and out, the signed-in user, and what admins do to the others (family.md 2.3, 2.4). */

import type { Kit } from '../../../kernel/contract/kit.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import { signedIn } from '../../../kernel/http/signed-in.js'
import { moveBalance } from './balance.js'
import {
  type LoginForm,
  loginForm,
  type ManageForm,
  manageForm,
  type NewUserForm,
  newUserForm,
  type UserChanges,
  type UserSearch,
  userChanges,
  userId,
  userSearch,
} from './forms.js'
import { people } from './people.js'
import { adminUserRecord, briefUserRecord, roles, type UserRow, userRecord } from './user-row.js'

export default function create({
  services,
}: Kit<'database' | 'changes' | 'identity' | 'ledger' | 'pricing'>): Management {
  const { identity, ledger, pricing } = services
  const users = people(services)

  async function login(request: ManagementRequest<unknown, LoginForm>): Promise<Answer> {
    const before = await identity.principal(request)
    const userId = await identity.byPassword(request.body.username, request.body.password)
    const { principal, cookie } = await identity.openSession({
      userId,
      method: 'password',
      address: request.address,
      userAgent: String(request.headers['user-agent'] ?? ''),
      secure: request.secure,
    })
    if (before !== undefined) await identity.signOut(before)
    const data = briefUserRecord(await users.get(principal.userId))
    return { answer: true, data, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } }
  }

  async function logout(request: ManagementRequest): Promise<Answer> {
    const principal = await identity.principal(request)
    if (principal !== undefined) await identity.signOut(principal)
    const headers = { 'set-cookie': identity.clearedCookie(request.secure) }
    return { answer: true, data: null, headers }
  }

  async function self(request: ManagementRequest) {
    const row = await users.get(signedIn(request).userId)
    const wallets = await ledger.wallets([row.id])
    return userRecord(row, wallets.get(row.id))
  }

  async function list({ query }: ManagementRequest<UserSearch>) {
    const { rows, total } = await users.page(query)
    const items = await withWallets(rows)
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function read(request: ManagementRequest) {
    const row = await users.get(Number(request.params.id))
    return (await withWallets([row]))[0]
  }

  async function withWallets(rows: readonly UserRow[]) {
    const wallets = await ledger.wallets(rows.map((row) => row.id))
    return rows.map((row) => adminUserRecord(row, wallets.get(row.id)))
  }

  async function createUser(request: ManagementRequest<unknown, NewUserForm>) {
    const form = request.body
    if (form.role >= signedIn(request).role) throw new Refusal('forbidden', { param: 'role' })
    knownGroup(form.group)
    const id = await users.create(form)
    return (await withWallets([await users.get(id)]))[0]
  }

  async function update(request: ManagementRequest<unknown, UserChanges>) {
    const form = request.body
    if (form.group !== undefined) knownGroup(form.group)
    await users.update(signedIn(request), form)
    return (await withWallets([await users.get(form.id)]))[0]
  }

  async function manage(request: ManagementRequest<unknown, ManageForm>) {
    const form = request.body
    const principal = signedIn(request)
    if (form.action !== 'add_quota') return users.act(principal, form.id, form.action)
    // Money made by hand is root's alone (failures.md E).
    if (principal.role !== roles.root) throw new Refusal('forbidden')
    const user = await users.get(form.id)
    if (user.deleted_at !== null) {
      throw new Refusal('gone_missing', { what: 'user', param: 'id' })
    }
    const quota = await moveBalance(services, { ...request, body: form })
    return { role: user.role, status: user.status, quota: Number(quota) }
  }

  async function remove(request: ManagementRequest) {
    await users.act(signedIn(request), Number(request.params.id), 'delete')
    return null
  }

  function knownGroup(group: string): void {
    if (pricing.groups().includes(group)) return
    const reason = `There is no group "${group}".`
    throw new Refusal('invalid_field', { reason, param: 'group' })
  }

  return {
    routes: {
      login: { body: loginForm, handle: login },
      logout: { handle: logout },
      logoutByPost: { handle: logout },
      self: { handle: self },
      list: { query: userSearch, handle: list },
      search: { query: userSearch, handle: list },
      read: { params: userId, handle: read },
      create: { body: newUserForm, handle: createUser },
      update: { body: userChanges, handle: update },
      manage: { body: manageForm, handle: manage },
      remove: { params: userId, handle: remove },
    },
  }
}
