/** Redemption codes: admins make them, users redeem them. */
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Redemption, RedemptionCode } from '../../services/redemption/index.js'
import * as forms from './forms.js'
import * as records from './records.js'

const rootRole = 100

type Dependencies = Pick<Services, 'redemption' | 'verification' | 'guesses'>

export default function create({
  services,
}: Kit<'redemption' | 'verification' | 'guesses'>): Management {
  const { redemption } = services
  const list = {
    query: forms.codeSearch,
    response: records.codePage,
    searches: true,
    handle: (request: ManagementRequest<forms.CodeSearch>) => codeList(request, redemption),
  }
  return {
    routes: {
      list,
      search: list,
      read: {
        params: forms.codeId,
        response: records.codeForm,
        handle: async (request) => shownTo(request, await found(idOf(request), redemption)),
      },
      create: {
        body: forms.newCodes,
        response: records.madeCodes,
        handle: (request) => makeCodes(request, services),
      },
      update: {
        body: forms.codeChanges,
        response: records.codeForm,
        handle: (request) => changeCode(request, redemption),
      },
      remove: {
        params: forms.codeId,
        response: noData,
        handle: (request) => removeCode(request, redemption),
      },
      removeInvalid: {
        response: records.removedCount,
        handle: () => removeInvalid(redemption),
      },
      redeem: {
        body: forms.redeemForm,
        response: records.redeemedQuota,
        handle: (request) => redeem(request, services),
      },
    },
  }
}

async function codeList(request: ManagementRequest<forms.CodeSearch>, redemption: Redemption) {
  const { query } = request
  const { p, page_size, status: state, batch, keyword: search } = query
  const page = Math.max(p, 1)
  const bounds = { offset: (page - 1) * page_size, limit: page_size }
  const { items, total } = await redemption.list({ ...bounds, state, batch, search })
  return { page, page_size, total, items: items.map((code) => shownTo(request, code)) }
}

/** A code is money to whoever has it, so making some needs a fresh proof. */
async function makeCodes(
  request: ManagementRequest<unknown, forms.NewCodes>,
  { redemption, verification }: Dependencies,
): Promise<Answer> {
  const { name, count, uses: usesMax, expired_time } = request.body
  const { userId: creatorId } = signedIn(request)
  const expiresAt = momentOf(expired_time)
  if (expiresAt !== undefined && expiresAt <= new Date()) {
    const reason = 'The codes would have expired already.'
    throw new Refusal('invalid_field', { reason, param: 'expired_time' })
  }
  await verification.require(request, 'balance')
  const quota = BigInt(request.body.quota)
  const made = await redemption.create({ creatorId, name, quota, count, usesMax, expiresAt })
  const detail = `${count} codes "${name}" of ${quota}, ${usesMax} uses each`
  const audit = { object: `redemption batch ${made[0]?.batch}`, detail }
  const headers = { 'cache-control': 'no-store' }
  return { answer: true, data: made.map(({ code }) => code), headers, audit }
}

async function changeCode(
  request: ManagementRequest<unknown, forms.CodeChangesForm>,
  redemption: Redemption,
): Promise<Answer> {
  const { id, name, quota, status, expired_time } = request.body
  const before = await found(id, redemption)
  if (quota !== undefined && BigInt(quota) !== before.quota) {
    const reason = 'The credit of a code does not change. Switch it off and make another.'
    throw new Refusal('invalid_field', { reason, param: 'quota' })
  }
  const after = await redemption.change(id, {
    ...{ name, isOn: status === undefined ? undefined : status === 1 },
    expiresAt: expired_time === undefined ? undefined : (momentOf(expired_time) ?? null),
  })
  if (after === undefined) throw missing()
  const states = { before: before.state, after: after.state }
  return {
    answer: true,
    data: shownTo(request, after),
    audit: { object: `redemption code ${id}`, ...states },
  }
}

async function removeCode(request: ManagementRequest, redemption: Redemption): Promise<Answer> {
  const id = idOf(request)
  if ((await redemption.remove([id])) === 0) throw missing()
  return { answer: true, data: null, audit: { object: `redemption code ${id}` } }
}

async function removeInvalid(redemption: Redemption): Promise<Answer> {
  const data = await redemption.removeInvalid()
  return { answer: true, data, audit: { object: 'redemption codes', detail: `${data} deleted` } }
}

async function redeem(
  request: ManagementRequest<unknown, forms.RedeemForm>,
  { redemption, guesses }: Dependencies,
): Promise<Answer> {
  const principal = signedIn(request)
  await guesses.inSession(principal, 'code')
  const { userId } = principal
  const { requestId } = request
  const quota = await redemption.redeem({ userId, code: request.body.key, requestId })
  const audit = { object: `user ${userId}`, detail: `redeemed a code of ${quota}` }
  return { answer: true, data: quota, audit }
}

function shownTo(request: ManagementRequest, code: RedemptionCode) {
  return records.codeRecord(code, signedIn(request).role >= rootRole)
}

async function found(id: number, redemption: Redemption) {
  const code = await redemption.get(id)
  if (code === undefined) throw missing()
  return code
}

/** @param seconds Unix seconds; 0: never */
function momentOf(seconds: number): Date | undefined {
  return seconds === 0 ? undefined : new Date(seconds * 1000)
}

function idOf({ params }: ManagementRequest): number {
  return Number(params.id)
}

function missing(): Refusal {
  return new Refusal('gone_missing', { what: 'redemption code', param: 'id' })
}
