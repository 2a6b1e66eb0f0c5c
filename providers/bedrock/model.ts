/**
 * Model ids: a maker's name and version, perhaps with the prefix of an inference profile (`us.`, `eu.`, `global.`), or
 * the ARN of a profile or a model of the operator's own. They are used as the operator names them.
 */
import { modelSegment } from '../../kernel/toolkit/provider/index.js'

/** Models of the messages format. What stands behind an ARN is not known, unless it names the model. */
export function isClaude(model: string): boolean {
  return model.includes('anthropic.claude')
}

const arn = /^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:\d{0,12}:[a-z0-9-]+\/[\w.:-]+$/

/**
 * One segment of a path. An ARN holds a slash that belongs to it and goes out encoded; nothing else with one does.
 * A signature encodes the path as it goes out a second time.
 */
export function modelInPath(model: string): string {
  return arn.test(model) ? encodeURIComponent(model) : modelSegment(model)
}
