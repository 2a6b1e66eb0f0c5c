/** Who decides when the user has finished speaking, and how (ai.google.dev/api/live, RealtimeInputConfig). */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'

export interface Detection {
  readonly detects: boolean
  /** Absent: the service's own. */
  readonly config?: JsonObject
  readonly effective: JsonObject | null
}

const place = 'session.audio.input.turn_detection'
/** Without an equal, and without a meaning beyond how soon something is noticed. The padding of the service is another. */
const tuning: ReadonlySet<string> = new Set(['threshold', 'eagerness', 'prefix_padding_ms'])
const sensitivities: ReadonlyMap<Json | undefined, string> = new Map([
  ['low', 'END_SENSITIVITY_LOW'],
  ['high', 'END_SENSITIVITY_HIGH'],
])

export function detectionOf(requested: Json | undefined): Detection {
  if (requested === null) {
    const config = { automaticActivityDetection: { disabled: true } }
    return { detects: false, config, effective: null }
  }
  const wanted = isObject(requested) ? requested : {}
  refuseUnread(wanted)
  const { silence_duration_ms, interrupt_response, eagerness } = wanted
  const sensitivity = sensitivities.get(eagerness)
  const automatic = {
    ...(typeof silence_duration_ms === 'number' && { silenceDurationMs: silence_duration_ms }),
    ...(sensitivity !== undefined && { endOfSpeechSensitivity: sensitivity }),
  }
  const config = {
    ...(Object.keys(automatic).length > 0 && { automaticActivityDetection: automatic }),
    ...(interrupt_response === false && { activityHandling: 'NO_INTERRUPTION' }),
  }
  return {
    detects: true,
    ...(Object.keys(config).length > 0 && { config }),
    effective: effectiveOf(wanted, sensitivity !== undefined),
  }
}

function refuseUnread(wanted: JsonObject): void {
  const { create_response, idle_timeout_ms } = wanted
  if (create_response === false) throw notExpressible(`${place}.create_response`)
  if (idle_timeout_ms !== undefined && idle_timeout_ms !== null)
    throw notExpressible(`${place}.idle_timeout_ms`)
  if (wanted.type !== undefined && wanted.type !== 'server_vad' && wanted.type !== 'semantic_vad')
    throw notExpressible(`${place}.type`)
}

function effectiveOf(wanted: JsonObject, isEager: boolean): JsonObject {
  const kept = Object.entries(wanted).filter(([name, value]) => !tuning.has(name) && value !== null)
  return {
    type: wanted.type ?? 'server_vad',
    ...Object.fromEntries(kept),
    ...(isEager && { eagerness: wanted.eagerness! }),
    create_response: true,
    interrupt_response: wanted.interrupt_response !== false,
  }
}
