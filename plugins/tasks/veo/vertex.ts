/**
 * Calls to Vertex AI: project and region in the path, the region's own host in front, the token the channel's service account was
 * exchanged for. With an API key there is neither project nor region
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation).
 */

import type { Body } from '../../../kernel/contract/body.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../../kernel/contract/provider.js'
import type { TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { parsedObject, parsedText } from '../../../kernel/toolkit/json/index.js'
import { modelSegment, normalBase } from '../../../kernel/toolkit/provider/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import { bareName } from './model.js'

export function address(
  _wire: Body,
  channel: ChannelView,
  credentials: Credentials,
  { model }: AddressContext,
): UpstreamRequest {
  const region = credentials.token === undefined ? 'global' : regionOf(channel, model)
  const place =
    credentials.token === undefined
      ? ''
      : `projects/${projectOf(credentials.key)}/locations/${region}/`
  const path = `${place}publishers/google/models/${modelSegment(bareName(model))}`
  return call(`${originOf(channel, region)}/v1/${path}:predictLongRunning`, credentials)
}

/** An operation is read where it was begun, which its name states. */
export function poll(
  [task]: readonly TaskRef[],
  channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const operationName = task?.ref ?? ''
  const [, place = '', region = 'global', model = bareName(task?.model ?? '')] =
    operationPattern.exec(operationName) ?? []
  const inProject = credentials.token === undefined ? '' : `${place}/`
  const path = `${inProject}publishers/google/models/${modelSegment(model)}`
  const url = `${originOf(channel, inProject === '' ? 'global' : region)}/v1/${path}:fetchPredictOperation`
  return { ...call(url, credentials), body: JSON.stringify({ operationName }) }
}

const operationPattern =
  /^(projects\/[\w.:-]+\/locations\/([a-z0-9-]+))\/publishers\/google\/models\/([^/]+)\/operations\/[^/]+$/

const storage = 'https://storage.googleapis.com/'

/** Of clips in a bucket: by the address of the object, with the same token, which is sent nowhere else. */
export function content(
  _task: TaskRef,
  { url = '' }: TaskResult,
  _channel: ChannelView,
  credentials: Credentials,
): UpstreamRequest {
  const authorization = url.startsWith(storage) ? authorizing(credentials) : {}
  return { method: 'GET', url, headers: { accept: '*/*', ...authorization } }
}

function call(url: string, credentials: Credentials): UpstreamRequest {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return { method: 'POST', url, headers: { ...headers, ...authorizing(credentials) } }
}

function authorizing({ key, token }: Credentials): Record<string, string> {
  return token === undefined
    ? { 'x-goog-api-key': key.trim() }
    : { authorization: `Bearer ${token}` }
}

/** Throws `channel:invalid_key` for a key that names none. */
function projectOf(key: string): string {
  const value = parsedText(key)
  const account = Array.isArray(value) ? value[0] : value
  const project = textAt(account, 'project_id') ?? ''
  if (!/^[a-z][a-z0-9:.-]{3,62}$/.test(project)) throw new Refusal('channel:invalid_key')
  return project
}

/** One for all models, or a JSON object by model with `default` for the others. */
function regionOf({ settings }: ChannelView, model: string): string {
  const written = textAt(settings, 'region')?.trim() ?? 'global'
  const table = written.startsWith('{') ? parsedObject(written) : { default: written }
  const name = [model, bareName(model), 'default'].find((one) => Object.hasOwn(table ?? {}, one))
  const region = name === undefined ? 'global' : table?.[name]
  if (table === undefined || typeof region !== 'string' || !/^[a-z][a-z0-9-]{1,40}$/.test(region)) {
    throw new Refusal('channel:address_refused')
  }
  return region
}

const defaultBase = 'https://aiplatform.googleapis.com'

/** Any other base URL is used as it is: a private endpoint, a gateway. */
function originOf({ baseUrl }: ChannelView, region: string): string {
  const base = normalBase(baseUrl)
  if (base !== defaultBase || region === 'global') return base
  return region === 'us' || region === 'eu'
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`
}
