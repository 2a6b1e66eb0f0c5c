/**
 * Members of a channel's `settings` that belong to the gateway and not to the provider: which fields of a call may
 * pass, and how tasks are settled and read (CHAN-3, CHAN-4). Everything else stays as it is.
 */
import type { Json, JsonObject } from '../../../../../kernel/contract/json.js'
import { isObject } from '../../../../../kernel/contract/json.js'
import { Refusal } from '../../../../../kernel/toolkit/errors/index.js'
import { doubaoVideo } from './channel-types.js'

const switches = [
  'allow_service_tier',
  'allow_inference_geo',
  'allow_speed',
  'allow_safety_identifier',
  'allow_include_obfuscation',
  'disable_store',
  'disable_stream_usage',
  'disable_reasoning_summary',
  'allow_extra_members',
]

/** What the gateway has found out by itself: no client writes it, and a new document does not take it away. */
const gathered = [
  'upstream_model_update_last_check_time',
  'upstream_model_update_last_detected_models',
  'upstream_model_update_last_removed_models',
]

const deltaSwitch = 'disable_task_delta_settlement'
const paths = ['created_at_path', 'updated_at_path']
const pathCharactersMax = 256
const pathDepthMax = 16

/** Throws `invalid_field`. */
export function ownSettings(settings: JsonObject, type: number, stored: JsonObject): JsonObject {
  for (const name of switches) {
    const value = settings[name]
    if (value !== undefined && typeof value !== 'boolean') refuse(name, 'must be true or false')
  }
  if (settings.video_task !== undefined) checkVideoTask(settings.video_task)
  const others = Object.entries(settings).filter(
    ([name]) => name !== deltaSwitch && !gathered.includes(name),
  )
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(gathered.flatMap((name) => own(stored, name))),
    ...deltaSettlement(settings[deltaSwitch], type),
  }
}

/** Of settings that stay while the type changes: what only the old type may hold goes (CHAN-3). */
export function withoutForeign(settings: JsonObject, type: number): JsonObject {
  if (type === doubaoVideo || settings[deltaSwitch] === undefined) return settings
  const { [deltaSwitch]: _, ...others } = settings
  return others
}

/** Stored as `true` where it is off, and not at all where it is on (CHAN-3). */
function deltaSettlement(value: Json | undefined, type: number): JsonObject {
  if (value === undefined || value === false) return {}
  if (value !== true) refuse(deltaSwitch, 'must be true or false')
  if (type !== doubaoVideo) refuse(deltaSwitch, `is only for channels of type ${doubaoVideo}`)
  return { [deltaSwitch]: true }
}

function checkVideoTask(task: Json): void {
  if (!isObject(task)) refuse('video_task', 'must be an object')
  for (const name of paths) {
    const path = task[name]
    const fault = path === undefined ? undefined : pathFault(path)
    if (fault !== undefined) refuse(`video_task.${name}`, fault)
  }
}

/** A dotted path into a provider's answer, such as `data.created_at`; "" for none (CHAN-4, X5). */
function pathFault(path: Json): string | undefined {
  if (typeof path !== 'string') return 'must be a text'
  if (path === '') return undefined
  if (path.length > pathCharactersMax) return `must not exceed ${pathCharactersMax} characters`
  const steps = path.split('.')
  if (steps.length > pathDepthMax) return `must not go deeper than ${pathDepthMax}`
  if (!steps.every((step) => /^[A-Za-z0-9_-]+$/.test(step))) {
    return 'must be names between dots, such as data.created_at'
  }
  const reserved = steps.find((step) => /^(?:__proto__|prototype|constructor)$/.test(step))
  return reserved === undefined ? undefined : `holds the name "${reserved}", which is not allowed`
}

function own(stored: JsonObject, name: string): readonly (readonly [string, Json])[] {
  const value = stored[name]
  return value === undefined ? [] : [[name, value]]
}

function refuse(name: string, fault: string): never {
  const reason = `The field "${name}" of settings ${fault}.`
  throw new Refusal('invalid_field', { reason, param: `settings.${name}` })
}
