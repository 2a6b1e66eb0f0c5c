import { converseRules } from '../../providers/bedrock-rules.js'
import { listIn, type VendorRule } from '../vendor.js'
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
  ...converseRules,
]

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

/** Its tools are called in whole answers only. */
export const bedrockLlama: Vendor = {
  name: 'Bedrock with Llama',
  type: 33,
  key,
  models: ['us.meta.llama4-maverick-17b-instruct-v1:0'],
  rules: [...converse, noMarks],
  answers: 'whole',
  noSchemas: true,
}

export const bedrockOthers: Vendor = {
  name: 'Bedrock with other models',
  type: 33,
  key,
  models: ['us.deepseek.v3-v1:0', 'qwen.qwen3-32b-v1:0'],
  rules: [...converse, noMarks],
}

export const bedrockOpenai: Vendor = {
  name: 'Bedrock with OpenAI’s models',
  type: 33,
  key,
  models: ['us.openai.gpt-5.6-sol', 'openai.gpt-oss-120b-1:0'],
  rules: [],
  takes: ['client_metadata'],
}
