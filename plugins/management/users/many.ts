/** One change to many users, by ids or whoever a filter finds (decision 95); each as far as the caller may change them one by one. */
import type { Knex } from 'knex'
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { ManyUsersForm } from './many-forms.js'
import { idsText, meant, outcome, type RefusedUser, refusedText, sorted } from './many-people.js'
import { mayEdit, mustOutrank } from './rank.js'
import { states, type UserRow } from './user-row.js'

type ManyUsersDependencies = Pick<Services, 'database' | 'changes' | 'identity' | 'pricing'>

export async function changeManyUsers(
  request: ManagementRequest<unknown, ManyUsersForm>,
  dependencies: ManyUsersDependencies,
): Promise<Answer> {
  const { database, changes, pricing } = dependencies
  const form = request.body
  const { group, status } = form.changes
  if (group !== undefined && !pricing.groups().includes(group)) {
    const reason = `There is no group "${group}".`
    throw new Refusal('invalid_field', { reason, param: 'changes.group' })
  }
  const ids = await meant(database.knex, form)
  const done = await database.knex.transaction((trx) =>
    changed(trx, { caller: signedIn(request), ids, changes: form.changes }, dependencies),
  )
  await changes.settled()
  const what = [group && `group ${group}`, status && (status === states.on ? 'enable' : 'disable')]
  const detail = `${done.changed} users: ${what.filter(Boolean).join('; ')}${refusedText(done.refused)}`
  return {
    answer: true,
    data: outcome(done.changed, done.refused),
    audit: { object: `users ${idsText(ids)}`, detail },
  }
}

interface Work {
  readonly caller: Principal
  readonly ids: readonly number[]
  readonly changes: ManyUsersForm['changes']
}

async function changed(
  trx: Knex.Transaction,
  { caller, ids, changes }: Work,
  { identity }: Pick<Services, 'identity'>,
): Promise<{ readonly changed: number; readonly refused: readonly RefusedUser[] }> {
  const { group, status } = changes
  const { allowed, refused } = await sorted(trx, { caller, ids }, (user: UserRow) => {
    if (group !== undefined) mayEdit(caller, user, { id: user.id, group })
    if (status !== undefined) mustOutrank(caller, user)
  })
  const differing = allowed.filter((row) => row.status !== (status ?? row.status))
  const switched = differing.map(({ id }) => id)
  if (allowed.length > 0) {
    await identity.users.changeMany(
      { ids: allowed.map(({ id }) => id), group, status, switched },
      trx,
    )
  }
  return { changed: allowed.length, refused }
}
