/** Services of which nothing was found beyond the format they document. */
import { noSystemTurns, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

const of = (name: string, type: number | string, model: string): Vendor => {
  return { name, type, models: [model], rules: [noSystemTurns(rolesOfMessages)] }
}

/** They pass on what each format's maker has. */
const gateway = (name: string, type: number | string): Vendor => {
  return { name, type, models: ['m-1'], rules: [], takes: ['context_management'] }
}

export const documented: readonly Vendor[] = [
  of('360', 19, '360gpt2-pro'),
  of('01.AI', 31, 'yi-lightning'),
  of('Submodel', 53, 'zai-org/GLM-4.5-FP8'),
  of('Hugging Face', 'chat-compatible/huggingface', 'openai/gpt-oss-120b'),
  gateway('New API', 60),
  gateway('LiteLLM', 'chat-compatible/litellm'),
]
