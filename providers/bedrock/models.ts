/**
 * Models that can be called by their own name, then the inference profiles, by whose names the others are called: two
 * lists of the control plane, which lives beside the one that answers.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import { type NamePage, readNames, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { readKey } from './key.js'
import { signedHeaders } from './sign.js'

const modelsPath = '/foundation-models?byInferenceType=ON_DEMAND&byOutputModality=TEXT'
const profilesPath = '/inference-profiles?maxResults=1000'

export const models: UpstreamQuery<readonly string[]> = {
  request(channel, credentials, { now, page }) {
    const key = readKey(credentials.key, channel)
    const base = channel.baseUrl
      .replace('{region}', key.region)
      .replace(/^https:\/\/bedrock-runtime\./, 'https://bedrock.')
    const headers = { accept: 'application/json' }
    const call = { method: 'GET', url: upstreamUrl(base, pathOf(page)), headers } as const
    if (key.kind === 'api') {
      return { ...call, headers: { ...headers, authorization: `Bearer ${key.apiKey}` } }
    }
    return { ...call, headers: signedHeaders(call, { ...key, service: 'bedrock', now }) }
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
    return { names: objectsOf(listed).map(({ modelId }) => someText(modelId)), next: '' }
  }
  if (!Array.isArray(profiles)) return undefined
  const names = objectsOf(profiles).map(({ inferenceProfileId: id }) => someText(id))
  const next = someText(nextToken)
  return next === undefined ? { names } : { names, next }
}
