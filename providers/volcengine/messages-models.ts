/** Models the service names for its messages interface; the others are called in the chat format. */
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

const facts: readonly ModelFact[] = [
  {
    models: /^(?:doubao-)?seed-(?:code|evolving|1-8|2-\d)/,
    source: 'volcengine.com/docs/82379/2160841',
    read: '2026-11-27',
  },
  {
    models: /^(?:glm-4-7|deepseek-v3-2|kimi-k2-thinking)/,
    source: 'docs.byteplus.com/en/docs/ModelArk/2160841',
    read: '2026-11-27',
  },
]

export function hasMessages(model: string): boolean {
  return facts.some((fact) => isAbout(fact, model))
}
