/**
 * Where a model is called: project and region in the path, the region's own host in front. With an API key there is
 * neither, and the global host (https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode).
 */
import type { ChannelView, Credentials, UpstreamRequest } from '../../kernel/contract/provider.js'
import { modelSegment, normalBase } from '../../kernel/toolkit/provider/index.js'
import { type ServiceAccount, serviceAccount } from './account.js'
import { bareName } from './model.js'
import { regionOf } from './region.js'

/** What the manifest gives a channel that names no address. */
const defaultBase = 'https://aiplatform.googleapis.com'

export interface Target {
  readonly model: string
  readonly version: 'v1' | 'v1beta1'
  /** `publishers/google/models/…:verb`, or `endpoints/…`. */
  readonly path: string
}

export function publisherPath(publisher: string, model: string, verb: string): string {
  return `publishers/${publisher}/models/${modelSegment(bareName(model))}:${verb}`
}

/** A POST of JSON with the token, or with the key where that is what authorises. */
export function callTo(
  { model, version, path }: Target,
  channel: ChannelView,
  credentials: Credentials,
  accept = 'application/json',
): UpstreamRequest {
  const { key, token } = credentials
  const account = token === undefined ? undefined : accountOf(credentials)
  const region = account === undefined ? 'global' : regionOf(channel, model)
  const inProject = account === undefined ? '' : `projects/${account.project}/locations/${region}/`
  const authorization: Record<string, string> =
    token === undefined ? { 'x-goog-api-key': key.trim() } : { authorization: `Bearer ${token}` }
  return {
    method: 'POST',
    url: `${originOf(channel, region)}/${version}/${inProject}${path}`,
    headers: { 'content-type': 'application/json', accept, ...authorization },
  }
}

/** By the exchange they stand for, which is the same object for many calls. */
const known = new WeakMap<Credentials, ServiceAccount | undefined>()

function accountOf(credentials: Credentials): ServiceAccount | undefined {
  if (!known.has(credentials)) known.set(credentials, serviceAccount(credentials.key))
  return known.get(credentials)
}

/** Any other base URL is used as it is: a private endpoint, a gateway. */
function originOf({ baseUrl }: ChannelView, region: string): string {
  const base = normalBase(baseUrl)
  if (base !== defaultBase || region === 'global') return base
  return region === 'us' || region === 'eu'
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`
}
