/** Lists and records of users as admins see them. */
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { exact } from '../../../kernel/toolkit/management/index.js'
import type { OAuthBinding } from '../../services/oauth/index.js'
import type { UserSearch } from './forms.js'
import type { People } from './people.js'
import { usersFound } from './search.js'
import { adminUserRecord, type UserRow } from './user-row.js'

export interface ReadingDependencies
  extends Pick<Services, 'database' | 'identity' | 'ledger' | 'factors' | 'oauth'> {
  readonly users: People
}

type Identity = Pick<ReadingDependencies, 'identity'>

export async function userList(
  { query }: ManagementRequest<UserSearch>,
  { database, identity }: ReadingDependencies,
) {
  const { rows, total } = await usersFound(database.knex, query)
  const items = await records(rows, { identity })
  return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
}

/** With what is held, and every way in. */
export async function wholeUser(id: number, dependencies: ReadingDependencies) {
  const { users, ledger, factors, oauth } = dependencies
  const row = await users.get(id)
  const [[own], wallets, { totp, passkeys }, bindings] = await Promise.all([
    records([row], dependencies),
    ledger.wallets([id]),
    factors.of(id),
    oauth.bindings(id),
  ])
  const held = exact(wallets.get(id)?.held ?? 0n)
  const ways = { has_password: row.password_hash !== '', two_factor: totp, passkeys }
  return { ...own, held, ...ways, bindings: bindings.map(bindingRecord) }
}

export async function userRecord(
  id: number,
  { users, identity }: Pick<ReadingDependencies, 'users' | 'identity'>,
) {
  return (await records([await users.get(id)], { identity }))[0]
}

async function records(rows: readonly UserRow[], { identity }: Identity) {
  const known = await identity.records(rows.map((row) => row.id))
  return rows.map((row) => adminUserRecord(row, known.get(row.id)))
}

function bindingRecord({ provider, title, name, createdAt }: OAuthBinding) {
  return { provider, title, name, created_at: createdAt }
}
