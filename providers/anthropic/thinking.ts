/** Which Claude models think by a budget; newer ones refuse it and think by an effort. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { withEffort } from '../../kernel/toolkit/vendors/index.js'

export function adjustThinking(wire: JsonObject, { settings }: ChannelView): JsonObject {
  return settings.thinking === 'as-sent' ? wire : withEffort(wire, takesBudget)
}

/** Families 3 to 4.6 in their two spellings, `claude-3-7-sonnet-…` and `claude-sonnet-4-5-…`; other makers' models too. */
function takesBudget(model: string): boolean {
  if (!/(^|[./])claude-/.test(model)) return true
  return /claude-3-/.test(model) || /claude-[a-z]+-4(-[0-6])?(-\d{8})?(-latest)?$/.test(model)
}
