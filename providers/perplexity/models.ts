/**
 * The names of the retired chat completions as the Agent API has them: one model, and presets for what were tiers. The
 * model is named beside the preset, which might choose another maker's otherwise.
 */
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

export interface AgentModel extends Fact {
  readonly name: string
  readonly model: string
  /** Brings its own tools. Absent: the search is requested. */
  readonly preset?: string
}

const own = 'perplexity/sonar'
const source =
  'github.com/perplexityai/api-platform-developers (skills/migrate-sonar-to-agent-api/references/models-and-presets.md)'
const read = '2026-11-22'

export const agentModels: readonly AgentModel[] = [
  { name: 'sonar', model: own, source, read },
  { name: 'sonar-pro', model: own, preset: 'low', source, read },
  { name: 'sonar-reasoning', model: own, preset: 'low', source, read },
  { name: 'sonar-reasoning-pro', model: own, preset: 'low', source, read },
  { name: 'sonar-deep-research', model: own, preset: 'medium', source, read },
]
