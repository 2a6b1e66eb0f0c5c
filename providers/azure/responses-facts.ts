/** Models that are refused on chat completions, or what they are refused there. The model is what the channel states of a deployment, else its name. */
import type { ResponsesFact } from '../../kernel/toolkit/vendors/index.js'

const read = '2026-11-22'

/** The first that is about a model counts. */
export const facts: readonly ResponsesFact[] = [
  {
    models: /^(?:o\d-(?:pro|(?:mini-)?deep-research)|gpt-5(?:\.\d+)?-(?:pro|codex))/,
    when: 'always',
    source: 'platform.openai.com/docs/models (endpoints of each model)',
    read: '2026-11-21',
  },
  {
    models: /^gpt-5\.4/,
    when: 'tools and effort',
    source:
      'github.com/openai/openai-openapi/issues/541, github.com/pipecat-ai/pipecat/issues/4043',
    read,
  },
  {
    // 5.5, 5.6 (sol, terra, luna) and later families reason by default.
    models: /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9])/,
    when: 'tools',
    source:
      'github.com/BerriAI/litellm/pull/34569 (5.6), github.com/jeffdafoe/llm-memory-api/pull/178 (5.5)',
    read,
  },
]
