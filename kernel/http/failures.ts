/**
 * The one place that makes an error into a body. Whose words are spoken depends on the path: the format of the endpoint
 * nearest to it, or the envelope of the management API (ERR-1, kernel/README.md section 7).
 */
import type { ClientError } from '../contract/format.js'
import type { RouteManifest } from '../contract/manifest.js'
import type { FormatName } from '../contract/names.js'
import type { Formats } from '../contract/services/formats.js'
import { clientError } from '../toolkit/errors/refusal.js'

interface ErrorReply {
  readonly status: number
  /** JSON text. */
  readonly body: string
}

export interface Failures {
  /** Absent: the path speaks the envelope of the management API. */
  formatAt(path: string): FormatName | undefined
  reply(format: FormatName | undefined, error: unknown): ErrorReply
  /** The same with words that are no refusal's own, e.g. a status the server itself gave. */
  dressed(format: FormatName | undefined, error: ClientError): ErrorReply
}

export function createFailures(formats: Formats, routes: readonly RouteManifest[]): Failures {
  const areas = routes.flatMap(areaOf)

  function dressed(format: FormatName | undefined, error: ClientError): ErrorReply {
    if (format === undefined) return { status: error.status, body: envelope(error) }
    try {
      const { status, body } = formats.get(format).encodeError(error)
      return { status, body: JSON.stringify(body) }
    } catch {
      // The last word to a client does not hang on a plugin.
      return { status: error.status, body: envelope(error) }
    }
  }

  return {
    formatAt: (path) => nearest(areas, path.split('/').slice(1)),
    reply: (format, error) => dressed(format, clientError(error)),
    dressed,
  }
}

/** A path up to its first parameter, and the format spoken under it. */
interface Area {
  readonly segments: readonly string[]
  readonly format: FormatName
}

function areaOf({ path, format }: RouteManifest): Area[] {
  if (format === undefined) return []
  const segments = path.split('/').slice(1)
  const open = segments.findIndex((segment) => segment.includes('{'))
  return [{ segments: open < 0 ? segments : segments.slice(0, open), format }]
}

/**
 * The area that shares most of its beginning with the path; a shorter area wins a tie, and `chat` wins among equals,
 * because it is what most clients of a shared prefix speak. No shared segment: none.
 */
function nearest(areas: readonly Area[], path: readonly string[]): FormatName | undefined {
  let best: { area: Area; shared: number } | undefined
  for (const area of areas) {
    const shared = sharedSegments(area.segments, path)
    if (shared === 0) continue
    if (best === undefined || isNearer(area, shared, best)) best = { area, shared }
  }
  return best?.area.format
}

function isNearer(area: Area, shared: number, best: { area: Area; shared: number }): boolean {
  if (shared !== best.shared) return shared > best.shared
  const whole = shared === area.segments.length
  const bestWhole = best.shared === best.area.segments.length
  if (whole !== bestWhole) return whole
  return best.area.format !== 'chat' && area.format === 'chat'
}

function sharedSegments(segments: readonly string[], path: readonly string[]): number {
  let shared = 0
  while (shared < segments.length && segments[shared] === path[shared]) shared++
  return shared
}

/**
 * `success` stands beside the honest status, since scripts of this family read it; `field` names what is at fault, `scope` what to verify first. Who is
 * refused for a while gets the same `error` here as on a relay path, so that one client's way with it serves both (LIMIT-1).
 */
function envelope({ status, message, type, code, param, scope }: ClientError): string {
  const field = param === '' ? undefined : param
  const error = status === 429 ? { message, type, param, code } : undefined
  return JSON.stringify({ success: false, message, code, data: null, field, scope, error })
}
