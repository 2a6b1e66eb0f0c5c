/** What the maker's own service refuses, by model. */
import type { MessagesFacts } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-22'

export const facts: MessagesFacts = {
  members: [
    {
      members: ['temperature', 'top_p', 'top_k'],
      // All but families 3 to 4.6: `claude-opus-4-7`, `claude-sonnet-5`, `claude-fable-5` and later ones.
      models: /(?:^|[./])claude-(?!3-)(?![a-z]+-4(?:-[0-6])?(?:-\d{8})?(?:-latest)?$)/,
      source:
        'github.com/Comfy-Org/ComfyUI/issues/13923, github.com/scottpmiller/evalcore/releases/tag/2.4.3, github.com/aido-dev/aido/releases/tag/v1.4.2',
      read,
    },
    {
      oneOf: ['temperature', 'top_p'],
      models: /(?:^|[./])claude-(?:opus-4-1|[a-z]+-4-[56])(?:-\d{8})?(?:-latest)?$/,
      source:
        'github.com/open-webui/functions/pull/9, git.drupalcode.org/project/ai/-/work_items/3580249',
      read,
    },
  ],
  systemTurns: [
    {
      // Families 3 to 4.7, a preview, and every other maker's model that is served in this format.
      models:
        /^(?!.*claude-)|claude-(?:3-|mythos-preview|[a-z]+-4(?:-[0-7])?(?:-\d{8})?(?:-latest)?$)/,
      source:
        'github.com/BerriAI/litellm/pull/33807, github.com/UKGovernmentBEIS/inspect_ai/pull/4221, github.com/QwenLM/Qwen/issues/2244',
      read: '2026-11-27',
    },
  ],
}
