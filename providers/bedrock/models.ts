/**
 * Models that can be called by their own name, then the inference profiles, by whose names the others are called: two
 * lists of the control plane, which lives beside the one that answers.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { type NamePage, readNames } from '../../kernel/toolkit/provider/index.js'
import { authorized } from './call.js'
import { fail } from './fail.js'

const modelsPath = '/foundation-models?byInferenceType=ON_DEMAND'
const profilesPath = '/inference-profiles?maxResults=1000'

export const models: UpstreamQuery<readonly string[]> = {
  request(channel, credentials, { now, page }) {
    const request = { method: 'GET', path: pathOf(page), headers: { accept: 'application/json' } }
    return authorized(
      { ...request, method: 'GET' },
      { endpoint: 'control', channel, credentials, now },
    )
  },
  read: (answer) => readNames(answer, fail, pick),
}

/** A page is the profiles' first when it is empty, else the token of a later one. */
function pathOf(page: string | undefined): string {
  if (page === undefined) return modelsPath
  return page === '' ? profilesPath : `${profilesPath}&nextToken=${encodeURIComponent(page)}`
}

function pick(body: JsonObject): NamePage | undefined {
  const { modelSummaries: listed, inferenceProfileSummaries: profiles, nextToken } = body
  if (Array.isArray(listed)) {
    const served = objectsOf(listed).filter(isServed)
    return { names: served.map(({ modelId }) => someText(modelId)), next: '' }
  }
  if (!Array.isArray(profiles)) return undefined
  const names = objectsOf(profiles).map(({ inferenceProfileId: id }) => someText(id))
  const next = someText(nextToken)
  return next === undefined ? { names } : { names, next }
}

/** Films and voices are made by other operations than these. */
function isServed({ outputModalities: made }: JsonObject): boolean {
  return !Array.isArray(made) || made.some((one) => modalities.has(one))
}

const modalities: ReadonlySet<unknown> = new Set(['TEXT', 'IMAGE', 'EMBEDDING'])
