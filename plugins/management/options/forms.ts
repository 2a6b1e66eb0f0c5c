/** What is sent to store options: one, or several of which all or none are stored. */
import joi from 'joi'

export interface Update {
  readonly key: string
  readonly value: unknown
  /** Text that stood there when the change was made: where another one stands by now, nothing is stored. */
  readonly was?: string
}

export interface UpdateForm extends Partial<Update> {
  readonly options?: readonly Update[]
}

const optionsMax = 500

const key = joi.string().max(256)
const was = joi
  .string()
  .allow('')
  .description('The text this change was made over; where another one is stored by now: 409.')
/** The type of a value is the option's own affair: the options report what is wrong with it. */
const value = joi
  .any()
  .description(
    'By the type of the option; JSON as text, so that numbers keep every digit; null takes a secret away.',
  )

export const updateForm = joi
  .object<UpdateForm>({
    key,
    value,
    was,
    options: joi
      .array()
      .items(joi.object<Update>({ key: key.required(), value: value.required(), was }))
      .min(1)
      .max(optionsMax)
      .unique('key'),
  })
  .xor('key', 'options')
  .and('key', 'value')
  .with('was', 'key')
  .messages({
    'object.missing': 'key is required',
    'object.xor': 'key and options exclude one another',
    'object.and': 'key and value are required together',
  })

export function updatesOf({ key, value, was, options }: UpdateForm): readonly Update[] {
  return options ?? [{ key: key!, value, was }]
}
