import type { JsonObject } from '../../../kernel/contract/json.js'
import { strictly as documented } from '../strict/index.js'
import { json, type Recorded, type Script } from '../upstream.js'
import { strictly, type VendorRule } from '../vendor.js'

/** A service as a channel reaches it, with the models whose rules differ and what it is known to refuse. */
export interface Vendor {
  readonly name: string
  /** Number or name of the channel type. */
  readonly type: number | string
  /** Absent: any text will do. */
  readonly key?: string
  readonly settings?: JsonObject
  /** What the base URL of its channels has behind the service's address. Absent: nothing. */
  readonly path?: string
  /** As the service names them. */
  readonly models: readonly string[]
  readonly rules: readonly VendorRule[]
  /** Names its reference has and that of the format's maker has not. */
  readonly takes?: readonly string[]
  /** Its streams of the chat format end without `[DONE]`. */
  readonly endsSilently?: true
  /** How it answers, whatever the client asked for. Absent: as it was asked. */
  readonly answers?: 'streamed' | 'whole'
  /** Its models cannot be held to a schema. */
  readonly noSchemas?: true
}

interface Documented {
  readonly path: RegExp
  /** Where the maker of the format has it. */
  readonly as: string
}

const formats: readonly Documented[] = [
  { path: /\/publishers\/mistralai\/|\/chat\/completions$/, as: '/v1/chat/completions' },
  { path: /\/messages$/, as: '/v1/messages' },
  { path: /\/responses$/, as: '/v1/responses' },
  {
    path: /:(?:generateContent|streamGenerateContent)$/,
    as: '/v1beta/models/m:generateContent',
  },
]

/** What is documented of the format, wherever the vendor has it, then the vendor's own rules. */
export function keeping({ rules, takes = [] }: Vendor, script: Script): Script {
  const kept = strictly(rules, script)
  return (request, response) => {
    const faults = faultsOf(request, takes)
    if (faults.length === 0) return kept(request, response)
    const message = faults.join('; ')
    return json(400, { error: { message, type: 'invalid_request_error', code: 'documented' } })(
      request,
      response,
    )
  }
}

function faultsOf({ path, json: body }: Recorded, takes: readonly string[]): readonly string[] {
  const place = formats.find((one) => one.path.test(path.split('?')[0]!))
  return (place && documented(place.as, body, takes)?.faults) ?? []
}
