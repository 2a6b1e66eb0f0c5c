/**
 * How a model of Mistral's is told to reason. Those that can be told know two words; others refuse the field.
 */
import type { JsonObject } from '../../contract/json.js'
import type { ModelFact } from './vendor-facts.js'

const canBeTold: ModelFact = {
  models: /mistral-(?:small|medium)|magistral|mistral-large-[4-9]|glm/,
  source:
    'github.com/architects-toolkit/SmartHopper/issues/647 (Must be one of none, high), github.com/anomalyco/models.dev/pull/1986, github.com/dimetron/pi-go/pull/245; docs.mistral.ai/capabilities/reasoning for the models',
  read: '2026-11-27',
}

/** Models that refuse the field, as github.com/NousResearch/hermes-agent/issues/11243 has them (422). */
export function effortLost(
  { reasoning_effort: effort }: JsonObject,
  model: string,
): readonly string[] {
  return effort === undefined || canBeTold.models?.test(model) === true ? [] : ['reasoning_effort']
}

/** The nearer of the two words; the same object where the client has one of them. */
export function spellEffort(wire: JsonObject): JsonObject {
  const { reasoning_effort: effort, model } = wire
  if (typeof effort !== 'string' || known.has(effort) || /glm/.test(String(model))) return wire
  return { ...wire, reasoning_effort: effort === 'minimal' ? 'none' : 'high' }
}

const known: ReadonlySet<string> = new Set(['none', 'high'])
