/** What Claude is refused at Foundry, by model, and the betas that are documented for it. */
import type { BetaFact, Fact, MessagesFacts } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-27'

export const facts: MessagesFacts = {
  members: [
    {
      members: ['temperature', 'top_p', 'top_k'],
      // `claude-opus-4-7`, `claude-sonnet-5`, `claude-fable-5` and later ones, wherever they are hosted.
      models: /claude-(?:[a-z]+-(?:4-(?:[7-9]|[1-9]\d(?!\d))|[5-9]|[1-9]\d)|mythos)/,
      source:
        'github.com/Comfy-Org/ComfyUI/issues/13923, github.com/scottpmiller/evalcore/releases/tag/2.4.3',
      read,
    },
    {
      oneOf: ['temperature', 'top_p'],
      models: /claude-(?:opus-4-1|[a-z]+-4-[56])(?:-\d{8})?$/,
      source:
        'github.com/open-webui/functions/pull/9, git.drupalcode.org/project/ai/-/work_items/3580249',
      read,
    },
  ],
  systemTurns: [
    {
      // Families 3 to 4.7, as at the maker's own service.
      models: /claude-(?:3-|mythos-preview|[a-z]+-4(?:-[0-7])?(?:-\d{8})?$)/,
      source: 'github.com/BerriAI/litellm/pull/33807 (tried at Foundry)',
      read,
    },
  ],
}

/** Models that take no budget of thinking, where the table of the service has no `enabled`. */
export const refusesBudget: Fact & { readonly models: RegExp } = {
  models:
    /claude-(?:(?:fable|mythos|opus)-(?:[5-9]|[1-9]\d)|opus-4-(?:[7-9]|[1-9]\d(?!\d))|sonnet-5(?!-5))/,
  source:
    'learn.microsoft.com/azure/foundry/foundry-models/concepts/claude-models (September 2026)',
  read,
}

/** Others are left out: one that the service does not know refuses the whole request. */
export const betas: readonly BetaFact[] = [
  {
    betas: ['context-management-2025-06-27', 'fine-grained-tool-streaming-2025-05-14'],
    source: 'learn.microsoft.com/azure/foundry/foundry-models/concepts/claude-models',
    read,
  },
  {
    betas: ['advanced-tool-use-2025-11-20'],
    source:
      'platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use (beta header of Claude API and Microsoft Foundry)',
    read,
  },
  {
    betas: ['interleaved-thinking-2025-05-14', 'web-search-2025-03-05'],
    source: 'github.com/anthropics/claude-code/issues/13116 (sent to Foundry by Claude Code)',
    read,
  },
]
