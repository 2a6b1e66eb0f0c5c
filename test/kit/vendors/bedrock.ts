import { isRecord, listIn, type VendorRule } from '../vendor.js'
import { contextNeedsBeta, knownBetas, noExtraInputs, noSampling, systemTurns } from './claude.js'
import { knowsOnly, rule } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'
const key = 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'
const reference = 'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html'

export const bedrockClaude: Vendor = {
  name: 'Bedrock',
  type: 33,
  key,
  models: ['us.anthropic.claude-opus-5-v1:0', 'us.anthropic.claude-opus-4-7-v1:0'],
  rules: [contextNeedsBeta, knownBetas, noExtraInputs, noSampling, systemTurns],
}

const converse: readonly VendorRule[] = [
  knowsOnly(
    [
      'messages',
      'system',
      'inferenceConfig',
      'toolConfig',
      'outputConfig',
      'additionalModelRequestFields',
      'additionalModelResponseFieldPaths',
      'guardrailConfig',
      'performanceConfig',
      'promptVariables',
      'requestMetadata',
      'serviceTier',
    ],
    { source: reference, read },
  ),
  rule(
    'A conversation must start with a user message and its roles must alternate',
    {
      source: 'docs.aws.amazon.com/bedrock (userguide: conversation-inference)',
      read: '2026-11-21',
    },
    (body) => {
      const roles = listIn(body, 'messages').map(({ role }) => role)
      return roles.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))
    },
  ),
  rule(
    'toolUseId must match [a-zA-Z0-9_-]+ and hold at most 64 characters',
    { source: 'docs.aws.amazon.com/bedrock (API: ToolUseBlock)', read: '2026-11-21' },
    (body) =>
      blocksOf(body).some(({ toolUse, toolResult }) => {
        const block = isRecord(toolUse) ? toolUse : isRecord(toolResult) ? toolResult : undefined
        return block !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(String(block.toolUseId))
      }),
  ),
  rule(
    'The text field in the ContentBlock object is blank',
    { source: 'docs.aws.amazon.com/bedrock (API: ContentBlock)', read: '2026-11-21' },
    (body) => blocksOf(body).some(({ text }) => typeof text === 'string' && text.trim() === ''),
  ),
]

function blocksOf(body: unknown): readonly Record<string, unknown>[] {
  return listIn(body, 'messages').flatMap((message) => listIn(message, 'content'))
}

const noMarks = rule(
  'This model does not support prompt caching',
  { source: 'docs.aws.amazon.com/bedrock (userguide: prompt-caching)', read: '2026-11-21' },
  (body) => JSON.stringify(body).includes('"cachePoint"'),
)

export const bedrockNova: Vendor = {
  name: 'Bedrock with Nova',
  type: 33,
  key,
  models: ['us.amazon.nova-2-lite-v1:0'],
  rules: converse,
}

export const bedrockMistral: Vendor = {
  name: 'Bedrock with Mistral',
  type: 33,
  key,
  models: ['mistral.mistral-large-3-675b-instruct'],
  rules: [...converse, noMarks],
}
