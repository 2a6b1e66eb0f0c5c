/** What Claude is refused on this service: members and cache marks. Betas are a setting of the channel. */
import type { MessagesFacts } from '../../../kernel/toolkit/vendors/index.js'

const read = '2026-11-22'

export const facts: MessagesFacts = {
  members: [
    {
      members: ['temperature', 'top_p', 'top_k'],
      // All but families 3 to 4.6: `claude-opus-4-7`, `claude-sonnet-5`, `claude-fable-5` and later ones.
      models: /claude-(?!3-)(?![a-z]+-4(?:-[0-6])?(?:-\d{8})?(?:-v\d+(?::\d+)?)?$)/,
      source: 'github.com/agnt5dev/sdk-core/releases/tag/v0.3.7 (Bedrock and Vertex ids)',
      read,
    },
    {
      oneOf: ['temperature', 'top_p'],
      models: /claude-(?:opus-4-1|[a-z]+-4-[56])(?:-\d{8})?(?:-v|$)/,
      source:
        'github.com/open-webui/functions/pull/9, git.drupalcode.org/project/ai/-/work_items/3580249',
      read,
    },
    {
      members: ['cache_control'],
      source:
        'github.com/UKGovernmentBEIS/inspect_ai/pull/3851, github.com/BerriAI/litellm/issues/26320',
      read,
    },
    {
      // Brought by betas this service does not know: cache-diagnosis-2026-04-07, fallback-credit-2026-06-01.
      members: ['diagnostics', 'fallbacks'],
      source: 'raw.githubusercontent.com/BerriAI/litellm (anthropic_beta_headers_config.json)',
      read,
    },
  ],
  marks: [
    {
      members: ['scope'],
      source:
        'github.com/caozhiyuan/copilot-api/pull/261 (cache_control: Extra inputs are not permitted)',
      read,
    },
    {
      // Kept for an hour from 4.5 on; older ones refuse the member.
      members: ['ttl'],
      models: /claude-3-|claude-(?:opus|sonnet)-4(?:-[01])?(?:-\d{8})?(?:-v|$)/,
      reported: true,
      source:
        'github.com/earendil-works/pi/pull/1570, github.com/omnara-ai/omnara/pull/480 (4.5 and 5.x)',
      read: '2026-11-27',
    },
  ],
  systemTurns: [
    {
      models: /claude-(?:3-|mythos-preview|[a-z]+-4(?:-[0-7])?(?:-\d{8})?(?:-v\d+(?::\d+)?)?$)/,
      source: 'github.com/BerriAI/litellm/pull/32831',
      read: '2026-11-27',
    },
  ],
  tools: [
    {
      members: ['eager_input_streaming'],
      source: 'github.com/anthropics/claude-agent-sdk-python/issues/694',
      read,
    },
  ],
}
