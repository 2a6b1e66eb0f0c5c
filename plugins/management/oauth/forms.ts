/** What the paths of signing in by another place take. */
import joi from 'joi'

export interface StateForm {
  readonly provider: string
  readonly intent: 'login' | 'bind'
  /** Code of who invited them. */
  readonly aff?: string
  /** Where to go afterwards. */
  readonly redirect?: string
}

/** What the browser brought back: `state`, and `code` or the fields of a widget. */
export type Brought = Readonly<Record<string, string>>

const provider = joi.string().trim().min(1).max(64)

export const stateForm = joi
  .object({
    provider: provider.required(),
    intent: joi.valid('login', 'bind').required(),
    aff: joi.string().trim().max(64).allow('', null).empty(['', null]),
    // A wish that cannot be granted is no reason to refuse the sign-in (AUTH-9).
    redirect: joi
      .any()
      .custom((wish: unknown) => (typeof wish === 'string' ? wish : undefined))
      .description('A path of this site; anything else becomes /dashboard.'),
  })
  .required()

export const providerName = joi.object({ provider: provider.required() })

const fieldName = /^[A-Za-z][\w.-]{0,63}$/
const fieldsMax = 40
const text = joi.string().max(4096).allow('')

export const broughtByQuery = joi.object().pattern(fieldName, text).max(fieldsMax)

/** Fields of a widget are numbers and truths too. */
export const broughtByBody = joi
  .object()
  .pattern(
    fieldName,
    joi
      .alternatives(text, joi.number(), joi.boolean())
      .custom((value: string | number | boolean) => String(value)),
  )
  .max(fieldsMax)
  .required()
