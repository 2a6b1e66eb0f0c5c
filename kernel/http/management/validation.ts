/** Holds what was sent against the schema of a route. */
import type { Schema } from 'joi'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { httpLimits } from '../limits.js'

/**
 * The value as the schema makes it; without a schema nothing is taken. Fields a schema does not name are left out. Throws
 * `invalid_field`.
 */
export function checkAgainst(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const { error, value: made } = schema.validate(value, {
    abortEarly: true,
    stripUnknown: true,
    errors: { wrap: { label: false } },
    messages,
  })
  if (error === undefined) return made
  const [fault] = error.details
  throw new Refusal('invalid_field', {
    reason: `${shortened(fault?.message ?? 'A field is not valid')}.`,
    param: fault?.path.join('.') ?? '',
  })
}

/** What was sent is not repeated: it may be long, or not for the eyes of who reads a log. */
const messages = {
  'string.pattern.base': '{{#label}} has a form that is not taken',
  'string.pattern.name': '{{#label}} must hold {{#name}}',
}

/** A reader of a field may quote a name out of it, however long. */
function shortened(message: string): string {
  const most = httpLimits.messageCharactersMax
  const characters = [...message.slice(0, most * 2)]
  if (characters.length <= most) return message
  return `${characters.slice(0, most).join('')}…`
}
