import { listIn, type VendorRule } from '../vendor.js'
import { knowsOnly, refuses, refusesInMessages, rolesAre, rule } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'
const validator = 'github.com/mistralai/mistral-common (protocol/instruct/validator.py)'

export const floatsOnly: VendorRule = {
  rule: 'encoding_format must be float',
  source: 'github.com/Mintplex-Labs/anything-llm/issues/5794',
  read: '2026-11-22',
  broken: ({ json: body }) => body?.encoding_format === 'base64',
}

/** Whoever may stand behind whom. */
const after: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool'],
}

/** Of its models, wherever they are served. */
export const mistralRules: readonly VendorRule[] = [
  rule('Unexpected role', { source: validator, read }, (body) => {
    const roles = listIn(body, 'messages').map(({ role }) => String(role))
    return roles.some((role, at) => at > 0 && !after[roles[at - 1]!]?.includes(role))
  }),
  rule(
    'Tool call id must be a-z, A-Z, 0-9, with a length of 9.',
    { source: validator, read },
    (body) =>
      listIn(body, 'messages').some((message) => {
        const ids = [message.tool_call_id, ...listIn(message, 'tool_calls').map(({ id }) => id)]
        return ids.some((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(String(id)))
      }),
  ),
  refusesInMessages(['reasoning_content'], {
    of: () => true,
    source: 'github.com/BerriAI/litellm/issues/30835, github.com/charmbracelet/crush/issues/1590',
    read,
  }),
  refuses(['stream_options', 'max_completion_tokens', 'store', 'user'], {
    source:
      'github.com/editor-code-assistant/eca/issues/231, github.com/Gitlawb/openclaude/issues/739',
    read,
  }),
]

/** As in the parameters of its own client. */
const members =
  'model messages temperature top_p max_tokens stream stop random_seed metadata response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key safe_prompt'.split(
    ' ',
  )

const rules: readonly VendorRule[] = [
  ...mistralRules,
  rolesAre(['system', 'user', 'assistant', 'tool'], {
    source: 'github.com/mistralai/client-python (models/chatcompletionrequest.py)',
    read,
  }),
  knowsOnly(members, {
    source:
      'github.com/mistralai/client-python (chat.complete), github.com/mistralai/platform-docs-public/issues/7 (extra_forbidden)',
    read,
  }),
  rule(
    'reasoning_effort is not supported for this model. Must be one of none, high',
    { source: 'github.com/architects-toolkit/SmartHopper/issues/647', read },
    ({ reasoning_effort: effort }) =>
      effort !== undefined && effort !== 'none' && effort !== 'high',
  ),
  refuses(['reasoning_effort'], {
    models: /codestral|ministral|mistral-large-2/,
    source: 'github.com/NousResearch/hermes-agent/issues/11243',
    read,
  }),
]

export const mistral: Vendor = {
  name: 'Mistral',
  type: 42,
  models: ['mistral-medium-latest', 'codestral-2508'],
  rules,
  takes: ['random_seed', 'prefix'],
}
