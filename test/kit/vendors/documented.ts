/** Services of which nothing was found beyond the format they document. */
import { noSystemTurns, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

export const documented: readonly Vendor[] = [
  {
    name: 'Hugging Face',
    type: 'chat-compatible/huggingface',
    models: ['openai/gpt-oss-120b'],
    rules: [noSystemTurns(rolesOfMessages)],
  },
]
