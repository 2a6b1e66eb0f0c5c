/** API keys of the signed-in user: paths and fields of the family, keys shown once and then masked (management/README.md section 5). */

import type {
  Answer,
  Management,
  ManagementRequest,
  Principal,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { exact, noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Member } from '../../services/routing/index.js'
import {
  newToken,
  type OthersSearch,
  othersSearch,
  type Paging,
  paging,
  type SwitchForm,
  switchForm,
  type TokenChanges,
  type TokenForm,
  type TokenIds,
  type TokenSearch,
  tokenChanges,
  tokenId,
  tokenIds,
  tokenSearch,
  type UsageSpan,
  updateQuery,
  usageSpan,
} from './forms.js'
import { keys } from './keys.js'
import { keysOfOthers } from './others.js'
import {
  ownedToken,
  ownedTokenPage,
  removedCount,
  revealedKey,
  revealedKeys,
  token,
  tokenPage,
  tokenUsage,
} from './responses.js'
import { routingFields } from './routing-fields.js'
import { type BudgetSpent, limitFields, states, type TokenRow, tokenRecord } from './token-row.js'

/** An owner who is gone. */
const nobody = { userId: 0, group: '', role: 0, username: '' }

const uncached = { 'cache-control': 'no-store' }

export default function create({
  services,
  settings,
  clock,
}: Kit<'database' | 'changes' | 'identity' | 'secrets' | 'routing' | 'usage-log'>): Management {
  const { routing } = services
  const others = keysOfOthers({ ...services, clock })
  const tokens = keys({
    ...services,
    usage: services['usage-log'],
    clock,
    tokensMax: () => settings.number('tokensPerUser'),
  })

  async function list(request: ManagementRequest<Paging & Partial<TokenSearch>>) {
    const { query } = request
    const owner = signedIn(request)
    const { rows, total } = await tokens.page(owner, query)
    const spent = await tokens.spent(rows)
    const items = rows.map((row) => record(row, owner, { spent: spent.get(row.id) }))
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function read(request: ManagementRequest) {
    const owner = signedIn(request)
    return known(await tokens.get(owner, Number(request.params.id)), owner)
  }

  async function createToken(request: ManagementRequest<unknown, TokenForm>): Promise<Answer> {
    const owner = signedIn(request)
    const { row, key } = await tokens.create(owner, request.body)
    return { answer: true, data: await known(row, owner, key), headers: uncached }
  }

  async function update(request: ManagementRequest<StatusOnly, TokenChanges>) {
    const { id, status } = request.body
    const changes = request.query.status_only ? { id, status } : request.body
    const owner = signedIn(request)
    return known(await tokens.update(owner, changes), owner)
  }

  async function replace(request: ManagementRequest): Promise<Answer> {
    const owner = signedIn(request)
    const { row, key } = await tokens.replace(owner, Number(request.params.id))
    return { answer: true, data: await known(row, owner, key), headers: uncached }
  }

  async function remove(request: ManagementRequest) {
    await tokens.remove(signedIn(request), Number(request.params.id))
    return null
  }

  function removeAll(request: ManagementRequest<unknown, TokenIds>) {
    return tokens.removeAll(signedIn(request), request.body.ids)
  }

  async function reveal(request: ManagementRequest): Promise<Answer> {
    const id = Number(request.params.id)
    const key = (await tokens.reveal(mayReveal(request), [id])).get(id)
    if (key === undefined) throw new Refusal('gone_missing', { what: 'API key', param: 'id' })
    return { answer: true, data: { key }, headers: uncached }
  }

  async function revealAll(request: ManagementRequest<unknown, TokenIds>): Promise<Answer> {
    const keys = await tokens.reveal(mayReveal(request), request.body.ids)
    return { answer: true, data: { keys: Object.fromEntries(keys) }, headers: uncached }
  }

  /** A key is read again by its owner's live session alone, where the operator allows it at all. */
  function mayReveal(request: ManagementRequest): Principal {
    const owner = signedIn(request)
    if (owner.via !== 'session') throw new Refusal('session_required')
    if (!settings.boolean('reveal')) {
      throw new Refusal('switched_off', { what: 'Showing keys once more' })
    }
    return owner
  }

  async function known(row: TokenRow, owner: Principal, key?: string) {
    return record(row, owner, { key, spent: (await tokens.spent([row])).get(row.id) })
  }

  function record(row: TokenRow, owner: Member, { key, spent }: Shown) {
    const fields = routingFields(row, { routing, member: owner })
    return { ...tokenRecord(row, clock.now(), key), ...fields, ...limitFields(row, spent) }
  }

  async function listOthers({ query }: ManagementRequest<OthersSearch>) {
    const { rows, total } = await others.page(query)
    const items = await owned(rows)
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function switchOther(request: ManagementRequest<unknown, SwitchForm>): Promise<Answer> {
    const { status } = request.body
    const id = Number(request.params.id)
    const row = await others.put(signedIn(request), id, status)
    const [data] = await owned([row])
    const detail = `API key ${id} "${row.name}" ${status === states.on ? 'on' : 'off'}`
    return { answer: true, data, audit: { object: `user ${row.user_id}`, detail } }
  }

  async function owned(rows: readonly TokenRow[]) {
    const spent = await tokens.spent(rows)
    const owners = await others.owners(rows)
    return rows.map((row) => {
      const owner = owners.get(row.user_id) ?? nobody
      return { ...record(row, owner, { spent: spent.get(row.id) }), username: owner.username }
    })
  }

  async function usage(request: ManagementRequest<UsageSpan>) {
    const owner = signedIn(request)
    const { days, models } = await tokens.usage(
      owner,
      Number(request.params.id),
      request.query.days,
    )
    return { days: days.map(exactly), models: models.map(exactly) }
  }

  return {
    routes: {
      list: { query: paging, response: tokenPage, handle: list },
      search: { query: tokenSearch, response: tokenPage, handle: list },
      read: { params: tokenId, response: token, handle: read },
      usage: {
        params: tokenId,
        query: usageSpan,
        response: tokenUsage,
        searches: true,
        handle: usage,
      },
      listOthers: {
        query: othersSearch,
        response: ownedTokenPage,
        searches: true,
        handle: listOthers,
      },
      switchOther: {
        params: tokenId,
        body: switchForm,
        response: ownedToken,
        handle: switchOther,
      },
      create: { body: newToken, response: token, handle: createToken },
      update: { query: updateQuery, body: tokenChanges, response: token, handle: update },
      replace: { params: tokenId, response: token, handle: replace },
      remove: { params: tokenId, response: noData, handle: remove },
      removeAll: { body: tokenIds, response: removedCount, handle: removeAll },
      reveal: { params: tokenId, response: revealedKey, handle: reveal },
      revealAll: { body: tokenIds, response: revealedKeys, handle: revealAll },
    },
  }
}

interface Shown {
  readonly key?: string
  readonly spent?: BudgetSpent
}

function exactly<Sums extends { readonly quota: bigint }>(sums: Sums) {
  return { ...sums, quota: exact(sums.quota) }
}

interface StatusOnly {
  readonly status_only: boolean
}
