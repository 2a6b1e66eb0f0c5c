/** Claude, at its maker's, on Vertex AI and on Bedrock. */
import type { Recorded } from '../upstream.js'
import { isRecord, listIn, objectsWithin, type VendorRule } from '../vendor.js'

const read = '2026-11-22'

/** Members of a request both clouds take, beside those of their own. */
const taken = new Set([
  'messages',
  'max_tokens',
  'system',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
  'tools',
  'tool_choice',
  'thinking',
  'metadata',
  'output_config',
  'context_management',
  'anthropic_version',
  'anthropic_beta',
])

export const noExtraInputs: VendorRule = {
  rule: 'Extra inputs are not permitted',
  source:
    'github.com/UKGovernmentBEIS/inspect_ai/pull/3851, github.com/anthropics/claude-agent-sdk-python/issues/694',
  read,
  broken: ({ json: body }) =>
    Object.keys(body ?? {}).some((name) => !taken.has(name)) ||
    objectsWithin(body).some(
      (one) =>
        'eager_input_streaming' in one ||
        (isRecord(one.cache_control) && 'scope' in one.cache_control),
    ),
}

/** The betas of a request, wherever they stand. */
function betasOf({ headers, json: body }: Recorded): readonly string[] {
  const header = String(headers['anthropic-beta'] ?? '')
  const named = Array.isArray(body?.anthropic_beta) ? (body.anthropic_beta as string[]) : []
  return [...header.split(',').filter(Boolean), ...named]
}

export const knownBetas: VendorRule = {
  rule: 'Unexpected value(s) for the `anthropic-beta` header',
  source:
    'github.com/anthropics/claude-code/issues/21625, github.com/QuantumNous/new-api/issues/2975',
  read,
  broken: (request) => betasOf(request).some((beta) => !known.has(beta)),
}

const known = new Set([
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'tool-search-tool-2025-10-19',
  'effort-2025-11-24',
])

export const contextNeedsBeta: VendorRule = {
  rule: 'context_management: Extra inputs are not permitted',
  source:
    'github.com/anthropics/claude-code/issues/49548, github.com/anthropics/claude-code/issues/14135',
  read: '2026-11-27',
  broken: (request) =>
    request.json?.context_management !== undefined &&
    !betasOf(request).includes('context-management-2025-06-27'),
}

export const noSampling: VendorRule = {
  rule: 'temperature is deprecated for this model.',
  source: 'github.com/Comfy-Org/ComfyUI/issues/13923',
  read,
  broken: ({ json: body }) =>
    ['temperature', 'top_p', 'top_k'].some((name) => name in Object(body)),
}

/** The model stands in the body or in the address. */
const older = /claude-(?:3-|[a-z]+-4(?:-[0-7])?(?:-\d{8})?(?:-v|[@:"/]|$))/

export const systemTurns: VendorRule = {
  rule: "role 'system' is not supported on this model",
  source:
    'github.com/BerriAI/litellm/pull/33807, github.com/BerriAI/litellm/pull/32831, github.com/juspay/neurolink/pull/1772',
  read: '2026-11-27',
  broken: ({ path, json: body }) => {
    const turns = listIn(body, 'messages')
    const at = turns.findIndex(({ role }) => role === 'system')
    return at === 0 || (at > 0 && older.test(`${body?.model ?? decodeURIComponent(path)}`))
  },
}
