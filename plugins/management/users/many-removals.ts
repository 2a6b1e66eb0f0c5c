/** Deletes many users, a few per transaction, so that requests under way wait for none of it. Who repeats it deletes the rest. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { recordBegun } from './many-begun.js'
import type { RemoveManyForm } from './many-forms.js'
import {
  idsText,
  meant,
  outcome,
  parts,
  type RefusedUser,
  refusedText,
  sorted,
} from './many-people.js'
import type { PeopleDependencies } from './people.js'
import { mustOutrank } from './rank.js'

/** Users of one transaction. */
const together = 20

export async function removeManyUsers(
  request: ManagementRequest<unknown, RemoveManyForm>,
  { database, changes, registration, audit }: PeopleDependencies & Pick<Services, 'audit'>,
): Promise<Answer> {
  const caller = signedIn(request)
  const all = await meant(database.knex, request.body)
  if (all.length > together) {
    await recordBegun(request, audit, { route: 'removeMany', ids: all, what: 'deletion' })
  }
  const refused: RefusedUser[] = []
  let removed = 0
  for (const ids of parts(all, together)) {
    const part = await database.knex.transaction(async (trx) => {
      const found = await sorted(trx, { caller, ids }, (user) => mustOutrank(caller, user))
      for (const { id } of found.allowed) await registration.leave(id, trx)
      return found
    })
    removed += part.allowed.length
    refused.push(...part.refused)
  }
  await changes.settled()
  return {
    answer: true,
    data: outcome(removed, refused),
    audit: {
      object: `users ${idsText(all)}`,
      detail: `${removed} users deleted${refusedText(refused)}`,
    },
  }
}
