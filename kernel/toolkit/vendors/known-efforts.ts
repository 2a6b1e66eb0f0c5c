/**
 * Words for effort by the model, since a service refuses those its model does not know. Sources: answers of
 * api.openai.com gathered in github.com/enricoros/big-AGI/issues/1159 (2026-07-10) and github.com/NousResearch/hermes-agent
 * pull 90441 (2026-08-20), and the table at community.openai.com/t/1371738.
 */
import type { Reasoning } from '../../contract/call.js'

type Effort = NonNullable<Reasoning['effort']>

/** From little to much. */
const order: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The requested effort where the model knows it, else the nearest it does; of two as near, the greater. */
export function knownEffort(model: string, requested: Effort): Effort {
  const known = effortsOf(model)
  if (known.includes(requested)) return requested
  const wanted = order.indexOf(requested)
  const distance = (effort: Effort) => Math.abs(order.indexOf(effort) - wanted)
  return known.reduce((best, effort) => (distance(effort) <= distance(best) ? effort : best))
}

const threeWords = ['low', 'medium', 'high'] as const
/** Makers whose own services document words above `high`. */
const highMakers = /deepseek|claude/

function effortsOf(model: string): readonly Effort[] {
  const version = /(?:^|[/:])gpt-(\d+)(?:[.-](\d))?(?!\d)/.exec(model)
  if (version !== null) return effortsOfGpt(model, Number(version[1]), Number(version[2] ?? 0))
  if (/(?:^|[/:])o\d/.test(model)) return threeWords
  return highMakers.test(model) ? order : ['none', 'minimal', ...threeWords]
}

function effortsOfGpt(model: string, major: number, minor: number): readonly Effort[] {
  const version = major * 10 + minor
  if (version >= 56) return ['none', ...threeWords, 'xhigh', 'max']
  if (version >= 52) return ['none', ...threeWords, 'xhigh']
  if (version === 51) {
    if (/codex-max/.test(model)) return [...threeWords, 'xhigh']
    return /codex/.test(model) ? threeWords : ['none', ...threeWords]
  }
  return /codex/.test(model) ? threeWords : ['minimal', ...threeWords]
}
