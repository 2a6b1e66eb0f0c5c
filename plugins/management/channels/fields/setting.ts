/** `setting` of a channel: the gateway's own switches for its calls (management/README.md section 8). Other members stay as they are. */
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { jsonObject } from '../../../../kernel/toolkit/management/index.js'
import { proxyAddress } from './proxy-address.js'

const systemPromptBytesMax = 64 * 1024
const firstTokenMs = { min: 100, max: 600_000 }

type Check = (value: Json) => string | undefined

const boolean: Check = (value) =>
  typeof value === 'boolean' ? undefined : 'that is neither true nor false'

/** Of the family, not served here: better refused than dropped in silence. */
const neverOn: Check = (value) =>
  value === true ? 'that is on, which this gateway does not support' : boolean(value)

const checks: Readonly<Record<string, Check>> = {
  on_client_gone: (value) =>
    value === 'drain' || value === 'abort' ? undefined : 'that is neither "drain" nor "abort"',
  system_prompt: (value) => {
    if (typeof value !== 'string') return 'that is no text'
    const tooLong = Buffer.byteLength(value) > systemPromptBytesMax
    return tooLong ? `of more than ${systemPromptBytesMax} bytes` : undefined
  },
  system_prompt_override: boolean,
  pass_through_body_enabled: boolean,
  force_format: neverOn,
  thinking_to_content: neverOn,
  first_token_timeout_ms: (value) => {
    const { min, max } = firstTokenMs
    const fits = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
    return fits ? undefined : `that is no whole number of ${min} to ${max}`
  },
}

/** Throws an `Error` whose message goes on after the field's name. */
export function setting(value: unknown): JsonObject {
  const known = jsonObject(value)
  for (const [name, check] of Object.entries(checks)) {
    const held = known[name]
    const fault = held === undefined ? undefined : check(held)
    if (fault !== undefined) throw new Error(`holds a member ${name} ${fault}`)
  }
  return known.proxy === undefined ? known : { ...known, proxy: proxyAddress(known.proxy) }
}
