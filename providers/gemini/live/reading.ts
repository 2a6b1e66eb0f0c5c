/** Values of the service's messages, of whatever type they come. */
import type { Json } from '../../../kernel/contract/json.js'

export { numberOf as count, objectsOf as objects } from '../../../kernel/toolkit/json/index.js'

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
