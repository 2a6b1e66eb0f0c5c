/** API keys of the signed-in user: paths and fields of the family, keys shown once and then masked (family.md 2.5). */
import type { Kit } from '../../../kernel/contract/kit.js'
import type {
  Answer,
  Management,
  ManagementRequest,
  Principal,
} from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import {
  newToken,
  type Paging,
  paging,
  type TokenChanges,
  type TokenForm,
  tokenChanges,
  tokenId,
  updateQuery,
} from './forms.js'
import { keys } from './keys.js'
import { tokenRecord } from './token-row.js'

const uncached = { 'cache-control': 'no-store' }

export default function create({
  services,
  settings,
  clock,
}: Kit<'database' | 'changes' | 'identity' | 'secrets' | 'pricing'>): Management {
  const tokens = keys({ ...services, clock, tokensMax: () => settings.number('tokensPerUser') })

  async function list(request: ManagementRequest<Paging>) {
    const { query } = request
    const { rows, total } = await tokens.page(signedIn(request).userId, query)
    const items = rows.map((row) => tokenRecord(row, clock.now()))
    return { page: Math.max(query.p, 1), page_size: query.page_size, total, items }
  }

  async function read(request: ManagementRequest) {
    const row = await tokens.get(signedIn(request).userId, Number(request.params.id))
    return tokenRecord(row, clock.now())
  }

  async function createToken(request: ManagementRequest<unknown, TokenForm>): Promise<Answer> {
    usable(request.body.group)
    const { row, key } = await tokens.create(signedIn(request).userId, request.body)
    return { answer: true, data: tokenRecord(row, clock.now(), key), headers: uncached }
  }

  async function update(request: ManagementRequest<StatusOnly, TokenChanges>) {
    const { id, status } = request.body
    const changes = request.query.status_only ? { id, status } : request.body
    usable(changes.group)
    return tokenRecord(await tokens.update(signedIn(request).userId, changes), clock.now())
  }

  async function remove(request: ManagementRequest) {
    await tokens.remove(signedIn(request).userId, Number(request.params.id))
    return null
  }

  async function reveal(request: ManagementRequest): Promise<Answer> {
    const { userId, via } = signedIn(request)
    if (via !== 'session' || !settings.boolean('reveal')) throw new Refusal('forbidden')
    const key = await tokens.reveal(userId, Number(request.params.id))
    return { answer: true, data: { key }, headers: uncached }
  }

  /** Empty: the user's own group, whatever it is at the time. */
  function usable(group: string | undefined): void {
    if (!group || services.pricing.groups().includes(group)) return
    const reason = `There is no group "${group}".`
    throw new Refusal('invalid_field', { reason, param: 'group' })
  }

  return {
    routes: {
      list: { query: paging, handle: list },
      read: { params: tokenId, handle: read },
      create: { body: newToken, handle: createToken },
      update: { query: updateQuery, body: tokenChanges, handle: update },
      remove: { params: tokenId, handle: remove },
      reveal: { params: tokenId, handle: reveal },
    },
  }
}

interface StatusOnly {
  readonly status_only: boolean
}

function signedIn({ principal }: ManagementRequest): Principal {
  if (principal === undefined) throw new Refusal('unauthorized')
  return principal
}
