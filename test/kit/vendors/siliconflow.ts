import { noSystemTurns, rolesOfMessages } from './rules.js'
import type { Vendor } from './vendor.js'

export const siliconflow: Vendor = {
  name: 'SiliconFlow',
  type: 40,
  models: ['deepseek-ai/DeepSeek-V3.2'],
  rules: [noSystemTurns(rolesOfMessages)],
}
