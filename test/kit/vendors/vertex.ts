import { objectsWithin, type VendorRule } from '../vendor.js'
import { contextNeedsBeta, knownBetas, noExtraInputs, noSampling, systemTurns } from './claude.js'
import { mistralRules } from './mistral.js'
import type { Vendor } from './vendor.js'

const toolNames = ['functionCall', 'functionResponse', 'function_call', 'function_response']

export const noToolIds: VendorRule = {
  rule: 'Invalid JSON payload received. Unknown name "id" at function_call: Cannot find field.',
  source: 'github.com/vercel/ai/issues/15664',
  read: '2026-11-22',
  broken: ({ json: body }) =>
    objectsWithin(body).some((one) =>
      toolNames.some((name) => Object.hasOwn(Object(one[name]), 'id')),
    ),
}

const key = 'AIzaKey'

export const vertexClaude: Vendor = {
  name: 'Vertex AI with Claude',
  type: 41,
  key,
  models: ['claude-opus-5', 'claude-opus-4-7'],
  rules: [contextNeedsBeta, knownBetas, noExtraInputs, noSampling, systemTurns],
}

export const vertexGemini: Vendor = {
  name: 'Vertex AI',
  type: 41,
  key,
  models: ['gemini-3-pro'],
  rules: [noToolIds],
}

export const vertexMistral: Vendor = {
  name: 'Vertex AI with Mistral',
  type: 41,
  key,
  models: ['mistral-large-2411'],
  rules: mistralRules,
}

/** Nothing was found that it refuses beyond the documented format. */
export const vertexOpen: Vendor = {
  name: 'Vertex AI with open models',
  type: 41,
  key,
  models: ['deepseek-ai/deepseek-v3.2-maas', 'openai/gpt-oss-120b-maas'],
  rules: [],
}
