/** The one refusal of a request's field: it names the field and says what it must be. */
import { Refusal } from '../../../kernel/errors.js'

export function invalidField(param: string, complaint: string): Refusal {
  return new Refusal('invalid_request', { param, reason: `${param} ${complaint}.` })
}
