/** What newer and older Grok models are refused: those that reason have no dial for it, but for a few. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { ChatFacts } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-27'

/** grok-3, grok-4, grok-4-fast, grok-4-1-fast, grok-4.20 and grok-code-fast; not grok-3-mini, grok-4.3 and later ones. */
const noDial = /(?:^|\/)grok-(?:3(?!-mini)|4(?:-|$)|4\.20(?!-multi-agent)|code-fast-1)/
const reasoning = /(?:^|\/)grok-(?:3|4(?:-(?!.*non-reasoning)|$)|4\.20(?!.*non-reasoning))/

export const facts: ChatFacts = {
  members: [
    {
      members: ['reasoning_effort'],
      models: noDial,
      source:
        'github.com/NousResearch/hermes-agent/pull/23435 (asked of api.x.ai on 2026-05-10), github.com/omnigent-ai/omnigent/issues/1686',
      read,
    },
    {
      members: ['stop'],
      models: reasoning,
      source: 'github.com/langchain-ai/langchain/pull/38335',
      read,
    },
  ],
}

/** The same of responses, where reasoning is an object. */
export function refusedInResponses(
  { reasoning: asked }: JsonObject,
  model: string,
): readonly string[] {
  return asked !== undefined && asked !== null && noDial.test(model) ? ['reasoning'] : []
}
