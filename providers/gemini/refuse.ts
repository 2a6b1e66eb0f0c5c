/** What this service cannot do, refused by the client's own field before anything is sent. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

export function notExpressible(field: string): Refusal {
  return new Refusal('not_expressible', { fields: field, param: field })
}
