/**
 * What families of models take of a Converse request, as data. The API has one form for all makers, and refuses what a
 * model does not take: "This model doesn't support the toolConfig.toolChoice.any field".
 */
import type { Family } from './family.js'

const read = '2026-11-27'

const nova = {
  choices: ['required', 'named'],
  plainSchemas: true,
  failedResults: true,
  caches: 'turns',
  topK: 'inferenceConfig.topK',
  source:
    'docs.aws.amazon.com/nova/latest/userguide (tool-choice, tool-use-definition), github.com/LibreChat-AI/agents/pull/256 (cache marks)',
  read,
} as const

/** Ids of every model, orders and schemas as the rows below have them. */
const mistral = {
  shortToolIds: true,
  topK: 'top_k',
  source: 'github.com/anomalyco/opencode/pull/48843, github.com/vercel/ai/pull/11863',
  read,
} as const

const named: readonly Family[] = [
  { models: /amazon\.nova-[2-9]/, effort: 'nova', ...nova },
  { models: /amazon\.nova-(?![2-9])/, ...nova },
  {
    // Reached here by prompt routers alone.
    models: /anthropic\.claude/,
    choices: ['required', 'named'],
    failedResults: true,
    structured: true,
    caches: 'turns and tools',
    longCache: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    ...mistral,
    models: /mistral\.mistral-large-2/,
    choices: ['required'],
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    ...mistral,
    models: /mistral\.mistral-large-(?!2)/,
    choices: ['required'],
    structured: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    ...mistral,
    models: /mistral\.(?:mistral-7b|mixtral)/,
    tools: 'none',
    source: 'docs.mendix.com/appstore/modules/aws/amazon-bedrock (models of Converse)',
    read,
  },
  { models: /mistral\.(?:mistral-(?!large|7b)|pixtral)/, ...mistral },
  {
    ...mistral,
    models: /mistral\.(?!mistral-|mixtral|pixtral)/,
    structured: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html, github.com/anomalyco/models.dev/pull/1326',
    read,
  },
  {
    models: /meta\.llama(?:2|3-\d+b|3-2-[13]b)/,
    tools: 'none',
    source:
      'docs.mendix.com/appstore/modules/aws/amazon-bedrock (models of Converse), github.com/epam/ai-dial-adapter-bedrock/issues/181',
    read,
  },
  {
    models: /meta\.llama(?!2|3-\d+b|3-2-[13]b)/,
    tools: 'whole',
    source:
      'github.com/strands-agents/harness-sdk/issues/1241 (choices), github.com/earendil-works/pi/issues/3739, github.com/run-llama/llama_index/issues/19655 (streams)',
    read,
  },
  {
    models: /deepseek\.r1/,
    tools: 'none',
    source: 'github.com/langchain-ai/langchain-aws/issues/447',
    read,
  },
  {
    models: /deepseek\.v3-v1/,
    choices: ['required'],
    structured: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    models: /deepseek\.(?!r1|v3-v1)/,
    choices: ['required', 'named'],
    structured: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    models: /openai\.gpt-oss/,
    structured: true,
    effort: 'gpt-oss',
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html, github.com/anomalyco/models.dev/pull/1326',
    read,
  },
  {
    models: /(?:cohere|ai21)\./,
    source:
      'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)',
    read,
  },
  {
    models: /amazon\.titan-/,
    tools: 'none',
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html',
    read,
  },
]

const known = named.map(({ models }) => models.source).join('|')

/** The first is the one whose facts a channel is tested with. */
export const families: readonly Family[] = [
  ...named,
  {
    // Other makers' open models, models of the operator's own, and ARNs nobody states the model of.
    models: new RegExp(`^(?!.*(?:${known}))`),
    structured: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html, github.com/anomalyco/models.dev/pull/1326',
    read,
  },
]
