/**
 * What families of models take of a Converse request, as data. The API has one form for all makers, and refuses what a
 * model does not take: "This model doesn't support the toolConfig.toolChoice.any field".
 */
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'

export interface Family extends Fact {
  /** Upstream ids, bare, with the prefix of a profile or within an ARN. Of two families never both. */
  readonly models: RegExp
  /** Which orders to call a tool it takes; "auto" is every model's own way. Absent: none. */
  readonly choices?: readonly ('required' | 'named')[]
  /** `none`: it knows no tools. `whole`: it calls them, but not in a stream. Absent: it calls them. */
  readonly tools?: 'none' | 'whole'
  /** Ids of calls have nine letters and digits. */
  readonly shortToolIds?: true
  /** Of a tool's schema only `type`, `properties` and `required` stand at the top. */
  readonly plainSchemas?: true
  /** A result may be marked as failed. */
  readonly failedResults?: true
  /** Answers and calls can be held to a schema. */
  readonly structured?: true
  /** Where cache marks may stand. Absent: it takes none. */
  readonly caches?: 'turns' | 'turns and tools'
  /** Marks may last an hour. */
  readonly longCache?: true
  /** Its field for the number of candidates per token. */
  readonly topK?: 'inferenceConfig.topK' | 'top_k'
  /** Its words for an effort of reasoning. */
  readonly effort?: 'nova' | 'gpt-oss'
}

const read = '2026-11-27'
const toolChoice =
  'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, github.com/langchain-ai/langchain-aws (supports_tool_choice_values)'
const structuredOutput =
  'docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html, github.com/anomalyco/models.dev/pull/1326'
const shortIds = 'github.com/anomalyco/opencode/pull/48843, github.com/vercel/ai/pull/11863'
const novaTools =
  'docs.aws.amazon.com/nova/latest/userguide (tool-choice, tool-use-definition), github.com/LibreChat-AI/agents/pull/256 (cache marks)'

const nova = {
  choices: ['required', 'named'],
  plainSchemas: true,
  failedResults: true,
  caches: 'turns',
  topK: 'inferenceConfig.topK',
  source: novaTools,
  read,
} as const

const mistral = { shortToolIds: true, topK: 'top_k', read } as const

const named: readonly Family[] = [
  { models: /amazon\.nova-[2-9]/, ...nova, effort: 'nova' },
  { models: /amazon\.nova-(?![2-9])/, ...nova },
  {
    // Reached here by prompt routers alone.
    models: /anthropic\.claude/,
    ...{ choices: ['required', 'named'], failedResults: true, structured: true, longCache: true },
    ...{ caches: 'turns and tools', source: `${toolChoice}, ${structuredOutput}`, read },
  },
  {
    models: /mistral\.mistral-large-2/,
    choices: ['required'],
    ...mistral,
    source: `${toolChoice}, ${shortIds}`,
  },
  {
    models: /mistral\.mistral-large-(?!2)/,
    ...{ choices: ['required'], structured: true },
    ...mistral,
    source: `${toolChoice}, ${structuredOutput}, ${shortIds}`,
  },
  {
    models: /mistral\.(?:mistral-(?!large)|mixtral|pixtral)/,
    ...mistral,
    source: `${toolChoice}, ${shortIds}`,
  },
  {
    models: /mistral\.(?!mistral-|mixtral|pixtral)/,
    structured: true,
    ...mistral,
    source: `${structuredOutput}, ${shortIds}`,
  },
  {
    models: /meta\.llama/,
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
    ...{ choices: ['required'], structured: true },
    ...{ source: `${toolChoice}, ${structuredOutput}`, read },
  },
  {
    models: /deepseek\.(?!r1|v3-v1)/,
    ...{ choices: ['required', 'named'], structured: true },
    ...{ source: `${toolChoice}, ${structuredOutput}`, read },
  },
  {
    models: /openai\.gpt-oss/,
    structured: true,
    effort: 'gpt-oss',
    source: structuredOutput,
    read,
  },
  { models: /(?:cohere|ai21)\./, source: toolChoice, read },
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
    source: structuredOutput,
    read,
  },
]
