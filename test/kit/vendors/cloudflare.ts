import { contentIsText } from './rules.js'
import type { Vendor } from './vendor.js'

export const cloudflare: Vendor = {
  name: 'Cloudflare',
  type: 39,
  settings: { account: 'abc' },
  models: ['@cf/qwen/qwen3-30b-a3b-fp8'],
  rules: [
    contentIsText({
      source:
        'github.com/TencentCloud/TencentDB-Agent-Memory/issues/1313, github.com/opencodeschool/opencode.school/issues/174',
      read: '2026-11-27',
    }),
  ],
}
