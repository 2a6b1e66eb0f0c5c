/**
 * Root's movement of many wallets: one posting for each person, keyed by the request and the person, so that a repeat goes on where
 * the first one ended and moves nothing twice (BILL-2). A few people per transaction: their charges never wait long.
 */
import type { Knex } from 'knex'
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { exact, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Posting } from '../../services/ledger/index.js'
import { type ActingDependencies, requireRight } from './acting.js'
import { amountOf, type BalanceDependencies } from './balance.js'
import { recordBegun } from './many-begun.js'
import type { MoveManyForm } from './many-forms.js'
import {
  idsText,
  meant,
  outcome,
  parts,
  type RefusedUser,
  refusedText,
  sorted,
} from './many-people.js'
import { mustOutrank } from './rank.js'

type MoveRequest = ManagementRequest<unknown, MoveManyForm>

interface Moved {
  /** Whose balance is as requested, by this request or by an earlier one with its key. */
  readonly done: number
  /** What was posted, signed. */
  readonly sum: bigint
  readonly refused: readonly RefusedUser[]
}

/** People of one transaction. */
const together = 25

export async function moveManyBalances(
  request: MoveRequest,
  dependencies: ActingDependencies & Pick<Services, 'audit'>,
): Promise<Answer> {
  const { database, changes, ledger, audit } = dependencies
  const caller = signedIn(request)
  await requireRight(request, dependencies)
  if (request.moneyKey === '') throw new Error('a movement of money without a key')
  await database.knex.transaction((trx) => ledger.claimKey(request, trx))
  const all = await meant(database.knex, request.body)
  const { mode, value, remark } = request.body
  const what = `balance ${mode} ${value}: ${remark}`
  if (all.length > together)
    await recordBegun(request, audit, { route: 'moveMany', ids: all, what })
  const refused: RefusedUser[] = []
  let [done, sum] = [0, 0n]
  for (const ids of parts(all, together)) {
    const moved = await database.knex.transaction((trx) =>
      movedTogether(trx, { request, caller, ids }, dependencies),
    )
    done += moved.done
    sum += moved.sum
    refused.push(...moved.refused)
  }
  await changes.settled()
  const detail = `balance ${mode} ${value} for ${done} users, ${sum} in all${refusedText(refused)}: ${remark}`
  return {
    answer: true,
    data: { ...outcome(done, refused), moved: exact(sum) },
    audit: { object: `users ${idsText(all)}`, detail },
  }
}

interface Part {
  readonly request: MoveRequest
  readonly caller: Principal
  readonly ids: readonly number[]
}

async function movedTogether(
  trx: Knex.Transaction,
  { request, caller, ids }: Part,
  { changes, ledger, identity }: BalanceDependencies,
): Promise<Moved> {
  const found = await sorted(trx, { caller, ids }, (user) => mustOutrank(caller, user))
  const people = found.allowed
  const wallets = await lockedWallets(
    trx,
    people.map(({ id }) => id),
    ledger,
  )
  const refused = [...found.refused]
  const posted: number[] = []
  let [done, sum] = [0, 0n]
  for (const { id, username: name } of people) {
    const wallet = wallets.get(id)
    if (wallet === undefined) throw new Error(`user ${id} has no wallet`)
    const amount = amountOf(request.body, wallet.balance)
    const isThere = request.body.mode === 'override' && amount === 0n
    const posting = postingOf(request, { userId: id, accountId: wallet.id, amount })
    const { verdict, balance } = isThere
      ? { verdict: 'already', balance: wallet.balance }
      : await ledger.post(posting, trx)
    if (verdict === 'short') {
      refused.push({ id, name, reason: `The wallet holds ${balance}, less than what is taken.` })
      continue
    }
    done += 1
    if (verdict !== 'posted') continue
    sum += amount
    posted.push(id)
  }
  const token = request.principal?.accessToken
  if (token !== undefined && sum !== 0n) await identity.accessTokens.countCredit(token, sum, trx)
  if (posted.length > 0) await changes.note(trx, 'users', posted)
  return { done, sum, refused }
}

interface LockedWallet {
  readonly id: number
  readonly balance: bigint
}

interface WalletRow {
  readonly id: number
  readonly owner_id: number
  readonly posted: bigint
  readonly held: bigint
}

/** In order of their ids, so that no two requests wait for each other. */
async function lockedWallets(
  trx: Knex.Transaction,
  userIds: readonly number[],
  ledger: BalanceDependencies['ledger'],
): Promise<ReadonlyMap<number, LockedWallet>> {
  const owners = await trx('accounts')
    .select('owner_id')
    .whereRaw('owner_id = ANY(?::int[])', [[...userIds]])
    .where({ kind: 'wallet', period_key: '' })
  const known = new Set(owners.map(({ owner_id }) => owner_id))
  for (const id of userIds) if (!known.has(id)) await ledger.openWallet(id, trx)
  const rows: readonly WalletRow[] = await trx('accounts')
    .select('id', 'owner_id', 'posted', 'held')
    .whereRaw('owner_id = ANY(?::int[])', [[...userIds]])
    .where({ kind: 'wallet', period_key: '' })
    .orderBy('id')
    .forNoKeyUpdate()
  return new Map(
    rows.map(({ id, owner_id, posted, held }) => [owner_id, { id, balance: posted - held }]),
  )
}

function postingOf(
  { body, moneyKey, requestId }: MoveRequest,
  facts: Pick<Posting, 'userId' | 'accountId' | 'amount'>,
): Posting {
  return {
    ...facts,
    key: `admin:${moneyKey}/${facts.userId}`,
    kind: 'admin',
    mayOverdraw: body.mode === 'override',
    requestId,
    note: body.remark,
  }
}
