/** One change to many channels, or their removal: by ids, or whoever a filter finds. The audit log keeps what was changed. */
import type {
  Answer,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { channelTypeField } from '../../../kernel/toolkit/management/index.js'
import type { ListChange, ManyChanges } from '../../services/channels/index.js'
import type { Pricing } from '../../services/pricing/index.js'
import { idsMax, type ManyForm, manyForm, type WhichForm, whichForm } from './bulk-forms.js'
import { adminName } from './caller.js'
import { checkCostFactor } from './fields/cost-terms.js'
import { type MatchingSources, matching } from './matching.js'
import { editedMany, foundCount } from './responses.js'

interface ManyServices extends MatchingSources {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'channelTypes'>
  readonly pricing: Pick<Pricing, 'costTerms'>
}

export function manyRoutes(services: ManyServices): Readonly<Record<string, ManagementRoute>> {
  const { edits } = services.channels

  async function changeMany(request: ManagementRequest<unknown, ManyForm>): Promise<Answer> {
    const { changes } = request.body
    checkCostFactor(changes.cost_factor, services.pricing)
    const ids = await idsOf(request.body, services)
    const done = await edits.changeMany(ids, changes, adminName(request))
    const refused = done.refused.length === 0 ? '' : `, ${done.refused.length} refused`
    const detail = `${done.changed} channels: ${textOf(changes)}${refused}`
    const object = `channels ${idsText(ids)}`
    const data = {
      changed: done.changed,
      refused_count: done.refused.length,
      refused: done.refused.slice(0, namedMax),
    }
    return { answer: true, data, audit: { object, detail: detail.slice(0, detailMax) } }
  }

  async function remove(request: ManagementRequest<unknown, WhichForm>): Promise<Answer> {
    const ids = await idsOf(request.body, services)
    const data = await edits.remove({ ids })
    return { answer: true, data, audit: { object: `channels ${idsText(ids)}`, detail: `${data}` } }
  }

  const type = channelTypeField(services.catalog)
  return {
    changeMany: { body: manyForm(type), response: editedMany, handle: changeMany },
    removeIds: { body: whichForm(type), response: foundCount, handle: remove },
  }
}

/** Throws `invalid_field` where a filter finds more than one write changes, or others than the person was shown. */
async function idsOf(form: WhichForm, services: ManyServices): Promise<readonly number[]> {
  if ('ids' in form) return form.ids
  const match = await matching(services, form.filter)
  const rows = await services.database
    .knex('channels')
    .where(match)
    .orderBy('id')
    .limit(idsMax + 1)
    .select<{ readonly id: number }[]>('id')
  if (rows.length > idsMax) refuse(`More than ${idsMax} channels match; narrow the filter.`)
  if (form.expected !== undefined && form.expected !== rows.length) {
    const now = `${rows.length} channels match by now, not ${form.expected}. Nothing was changed.`
    refuse(now, 'expected')
  }
  return rows.map(({ id }) => id)
}

function refuse(reason: string, param = 'filter'): never {
  throw new Refusal('invalid_field', { reason, param })
}

/** So many are named in the response; all are counted. */
const namedMax = 100
/** Of what the audit log keeps. */
const detailMax = 400
const idsShown = 20

function idsText(ids: readonly number[]): string {
  const more = ids.length - idsShown
  return ids.slice(0, idsShown).join(' ') + (more > 0 ? ` and ${more} more` : '')
}

function textOf({ models, groups, ...plain }: ManyChanges): string {
  const lists = [listText('models', models), listText('groups', groups)]
  const rest = Object.entries(plain).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [...lists, ...rest].filter((text) => text !== '').join('; ')
}

function listText(name: string, change: ListChange | undefined): string {
  if (change === undefined) return ''
  const { replace, add = [], remove = [] } = change
  if (replace !== undefined) return `${name} = ${replace.join(',')}`
  const signed = [...add.map((one) => `+${one}`), ...remove.map((one) => `-${one}`)]
  return `${name} ${signed.join(' ')}`
}
