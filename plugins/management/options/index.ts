/** The option paths of the family: every registered option, read and written by root alone (API-4). */
import joi from 'joi'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'

interface Update {
  readonly key: string
  readonly value: unknown
}

/** The type of a value is the option's own affair, null included: the options say what is wrong with it. */
const update = joi.object<Update>({
  key: joi.string().max(256).required(),
  value: joi
    .any()
    .required()
    .description('By the type of the option; JSON as text, so that numbers keep every digit.'),
})

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

export default function create({ services }: Kit<'options'>): Management {
  const { options } = services
  return {
    routes: {
      list: {
        handle: () =>
          options
            .list()
            .filter(({ field }) => field.type !== 'secret')
            .map(({ key, value }) => ({ key, value })),
      },
      update: {
        body: update,
        async handle({ body }: ManagementRequest<unknown, Update>) {
          await options.put({ [body.key]: body.value })
        },
      },
      resetRatios: {
        async handle() {
          await options.reset(ratioOptions)
        },
      },
    },
  }
}
