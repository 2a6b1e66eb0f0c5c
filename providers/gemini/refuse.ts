/** What this service cannot be asked for, told by the client's own field before anything is sent. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

export function notExpressible(field: string): Refusal {
  return new Refusal('not_expressible', { fields: field, param: field })
}
