/** What is sent to store options: one, or several of which all or none are stored. */
import joi from 'joi'

export interface Update {
  readonly key: string
  readonly value: unknown
}

export interface UpdateForm extends Partial<Update> {
  readonly options?: readonly Update[]
}

const optionsMax = 500

const key = joi.string().max(256)
/** The type of a value is the option's own affair: the options say what is wrong with it. */
const value = joi
  .any()
  .description(
    'By the type of the option; JSON as text, so that numbers keep every digit; null takes a secret away.',
  )

export const updateForm = joi
  .object<UpdateForm>({
    key,
    value,
    options: joi
      .array()
      .items(joi.object<Update>({ key: key.required(), value: value.required() }))
      .min(1)
      .max(optionsMax)
      .unique('key'),
  })
  .xor('key', 'options')
  .and('key', 'value')
  .messages({
    'object.missing': 'key is required',
    'object.xor': 'key and options exclude one another',
    'object.and': 'key and value are required together',
  })

export function updatesOf({ key, value, options }: UpdateForm): readonly Update[] {
  return options ?? [{ key: key!, value }]
}
