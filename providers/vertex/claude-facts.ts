/** What Claude is refused on this service: members, cache marks, betas. */
import type { BetaFact, MessagesFacts } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-22'

export const facts: MessagesFacts = {
  members: [
    {
      members: ['temperature', 'top_p', 'top_k'],
      // All but families 3 to 4.6: `claude-opus-4-7`, `claude-sonnet-5`, `claude-fable-5` and later ones.
      models: /claude-(?!3-)(?![a-z]+-4(?:-[0-6])?(?:@(?:\d{8}|default))?$)/,
      source: 'github.com/agnt5dev/sdk-core/releases/tag/v0.3.7 (Bedrock and Vertex ids)',
      read,
    },
    {
      oneOf: ['temperature', 'top_p'],
      models: /claude-(?:opus-4-1|[a-z]+-4-[56])(?:@|$)/,
      source:
        'github.com/open-webui/functions/pull/9, git.drupalcode.org/project/ai/-/work_items/3580249',
      read,
    },
    {
      members: ['cache_control'],
      source:
        'github.com/UKGovernmentBEIS/inspect_ai/pull/3851, github.com/dust-tt/dust/pull/27109',
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
        'github.com/QuantumNous/new-api/issues/2975, github.com/caozhiyuan/copilot-api/pull/261',
      read,
    },
    {
      members: ['ttl'],
      models: /claude-3-/,
      reported: true,
      source: 'github.com/diegosouzapw/OmniRoute/pull/13220',
      read,
    },
  ],
  systemTurns: [
    {
      models: /claude-(?:3-|mythos-preview|[a-z]+-4(?:-[0-7])?(?:@(?:\d{8}|default))?$)/,
      source: 'github.com/juspay/neurolink/pull/1772, github.com/BerriAI/litellm/pull/33807',
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

/** An unknown one refuses the whole request: `Unexpected value(s) … for the anthropic-beta header`. */
export const betas: readonly BetaFact[] = [
  {
    betas: [
      'compact-2026-01-12',
      'compact-2026-09-04',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dangerous-tool-use-2026-09-03',
      'interleaved-thinking-2025-05-14',
      'per-turn-control-2026-07-01',
      'thinking-binding-controls-2026-08-01',
      'thinking-display-updates-2026-08-18',
      'tool-search-tool-2025-10-19',
      'web-search-2025-03-05',
    ],
    source: 'raw.githubusercontent.com/BerriAI/litellm (anthropic_beta_headers_config.json)',
    read,
  },
  {
    betas: ['advanced-tool-use-2025-11-20'],
    as: 'tool-search-tool-2025-10-19',
    source: 'raw.githubusercontent.com/BerriAI/litellm (anthropic_beta_headers_config.json)',
    read,
  },
]
