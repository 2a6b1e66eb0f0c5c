/**
 * Where Gemini's models take the style of what they say: the earlier ones as an order before the text. Those after them read
 * the text word for word, an order before it too, and take the style beside it.
 */
import { isAbout, type ModelFact } from '../vendor-facts.js'

const orderedBefore: ModelFact = {
  models: /gemini-(?:2\.5|3\.1)-/,
  source:
    'docs.cloud.google.com/gemini-enterprise-agent-platform/models/text-to-speech/migration-guide, @google/genai 2.32.0 (Part.speechMetadata)',
  read: '2026-11-27',
}

export function takesOrders(model: string): boolean {
  return isAbout(orderedBefore, model)
}
