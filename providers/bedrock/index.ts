/** AWS Bedrock: Claude in its own format, every other model by the Converse API; calls signed, or with an API key. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Provider } from '../../kernel/contract/provider.js'
import { claude } from './claude.js'
import { converse } from './converse/index.js'
import { isRegion } from './key.js'
import { models } from './models.js'

export default function create(): Provider {
  return { operations: { chat: [claude, converse] }, models, faultOf }
}

function faultOf({ region }: JsonObject): string | undefined {
  if (region === undefined || isRegion(region)) return undefined
  return 'The region is not one such as "us-east-1".'
}
