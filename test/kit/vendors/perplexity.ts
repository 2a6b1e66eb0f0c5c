import { isRecord, type VendorRule } from '../vendor.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-22'

const members = new Set(
  'input instructions model preset max_output_tokens temperature top_p stream stream_options reasoning response_format tools tool_choice parallel_tool_calls previous_response_id metadata store truncation'.split(
    ' ',
  ),
)

export const perplexityRules: readonly VendorRule[] = [
  {
    rule: 'Sonar is now the Agent API',
    source: 'github.com/danielmiessler/Fabric/releases/tag/v1.4.528',
    read,
    broken: ({ path }) => path !== '/v1/agent',
  },
  {
    rule: 'invalid request body: json: unknown field',
    source: 'github.com/perplexityai/api-platform-developers (request-mapping.md)',
    read,
    broken: ({ json: body }) => {
      const { reasoning } = body ?? {}
      const efforts = isRecord(reasoning) ? Object.keys(reasoning) : []
      return (
        Object.keys(body ?? {}).some((name) => !members.has(name)) ||
        efforts.some((name) => name !== 'effort')
      )
    },
  },
  {
    rule: 'invalid_model',
    source: 'github.com/perplexityai/api-platform-developers (models-and-presets.md)',
    read,
    broken: ({ json: body }) => body?.model !== 'perplexity/sonar',
  },
]

export const perplexity: Vendor = {
  name: 'Perplexity',
  type: 27,
  models: ['sonar'],
  rules: perplexityRules,
}
