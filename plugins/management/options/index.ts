/** The option paths of the family: every registered option, read and written by root alone (API-4). */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import { described } from './describe.js'
import { type Update, type UpdateForm, updateForm, updatesOf } from './forms.js'
import { optionList, optionValues } from './responses.js'

/** Fixed prices and free models are decisions of the operator, no ratios, and stay. */
const ratioOptions = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
]

/** Who writes over what they have not seen loses it for somebody else. */
function refuseOvertaken(updates: readonly Update[], texts: Readonly<Record<string, string>>) {
  const overtaken = updates.find(({ key, was }) => was !== undefined && was !== texts[key])
  if (overtaken === undefined) return
  const { key } = overtaken
  const reason = `${key} was changed by somebody else meanwhile; nothing is stored.`
  throw new Refusal('conflict', { reason, param: key })
}

export default function create({ services }: Kit<'options'>): Management {
  const { options } = services

  function list() {
    return options
      .list()
      .filter(({ field }) => field.type !== 'secret')
      .map(({ key, value }) => ({ key, value }))
  }

  function describe() {
    const all = options.list()
    return all.map((option) => described(option, all))
  }

  /** Values of these options for the audit log, which keeps their hash; a secret is blank here as everywhere. */
  function states(keys: readonly string[]) {
    const named = new Set(keys)
    const reported = options.list().filter(({ key }) => named.has(key))
    return Object.fromEntries(reported.map(({ key, value }) => [key, value]))
  }

  /** Tells which options were written, and never a value. */
  async function written(keys: readonly string[], write: () => Promise<void>): Promise<Answer> {
    const before = states(keys)
    await write()
    const object = `option ${keys.join(', ')}`
    return { answer: true, data: null, audit: { object, before, after: states(keys) } }
  }

  function update({ body }: ManagementRequest<unknown, UpdateForm>) {
    const updates = updatesOf(body)
    const keys = updates.map(({ key }) => key)
    const values = Object.fromEntries(updates.map(({ key, value }) => [key, value]))
    const isGuarded = updates.some(({ was }) => was !== undefined)
    return written(keys, () =>
      isGuarded
        ? options.change(keys, (texts) => {
            refuseOvertaken(updates, texts)
            return values
          })
        : options.put(values),
    )
  }

  /** Sent back blank a secret stays as it is. */
  function writesSecrets(body: UpdateForm): boolean {
    const fields = new Map(options.list().map(({ key, field }) => [key, field]))
    return updatesOf(body).some(
      ({ key, value }) => fields.get(key)?.type === 'secret' && value !== '',
    )
  }

  return {
    routes: {
      list: { response: optionValues, handle: list },
      describe: { response: optionList, handle: describe },
      update: { body: updateForm, response: noData, writesSecrets, handle: update },
      resetRatios: {
        response: noData,
        handle: () => written(ratioOptions, () => options.reset(ratioOptions)),
      },
    },
  }
}
