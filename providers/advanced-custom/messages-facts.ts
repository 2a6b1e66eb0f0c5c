/**
 * What is taken behind a route of the messages format. Nothing is known of the server there but the model's name: that of a
 * Claude leads to its maker's service, any other to one that documents the format and no more.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatAdapter } from '../../kernel/contract/provider.js'
import {
  accepted,
  elsewhere,
  type MessagesFacts,
  refusedOf,
} from '../../kernel/toolkit/vendors/index.js'

const ofClaude: MessagesFacts = {
  members: [],
  systemTurns: [
    {
      // Families 3 to 4.7 and a preview, as whichever cloud names them.
      models: /claude-(?:3-|mythos-preview|[a-z]+-4(?:-[0-7])?(?:-\d{8})?(?:-latest|-v\d|[@:]|$))/,
      source: 'github.com/BerriAI/litellm/pull/33807, github.com/juspay/neurolink/pull/1772',
      read: '2026-11-27',
    },
  ],
}

function factsOf(model: string): MessagesFacts {
  return /claude-/.test(model) ? ofClaude : elsewhere
}

/** Roles are what an operator may want kept; all else is data of the format. */
export const ofMessages: Required<Pick<FormatAdapter, 'refuses' | 'adjust'>> = {
  refuses: (wire, { settings }, model) =>
    settings.developer_role === 'keep' ? [] : refusedOf(factsOf(model), wire, model),
  adjust: (wire: JsonObject, { settings }) =>
    settings.developer_role === 'keep' ? wire : accepted(factsOf(String(wire.model)), wire),
}
