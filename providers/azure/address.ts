/**
 * Where a resource answers: at `/openai/v1`, which has no versions and reads the deployment from the body, or at paths
 * by deployment and dated version. The deployment is the upstream's model, after mapping.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type {
  Adapter,
  AddressContext,
  ChannelView,
  Credentials,
} from '../../kernel/contract/provider.js'
import { modelSegment, normalBase } from '../../kernel/toolkit/provider/index.js'

type VersionField = 'api_version' | 'responses_api_version' | 'realtime_api_version'

/** A call below a deployment, such as `/chat/completions`. */
export function deploymentCall(path: string): Adapter['address'] {
  return (_wire, channel, credentials, context) => {
    const version = versionOf(channel, 'api_version')
    const url = isUnversioned(version)
      ? v1Url(channel, path, version)
      : `${resource(channel)}/openai/deployments/${deployment(context)}${path}?${query(version)}`
    return { method: 'POST', url, headers: headersOf(credentials, context) }
  }
}

/** Responses stand beside the deployments: the body names the one it means. */
export const responsesCall: Adapter['address'] = (_wire, channel, credentials, context) => {
  const version = versionOf(channel, 'responses_api_version')
  const url = isUnversioned(version)
    ? v1Url(channel, '/responses', version)
    : `${resource(channel)}/openai/responses?${query(version)}`
  return { method: 'POST', url, headers: headersOf(credentials, context) }
}

export function realtimeUrl(channel: ChannelView, context: AddressContext): string {
  const version = versionOf(channel, 'realtime_api_version')
  const model = encodeURIComponent(context.model)
  if (!isUnversioned(version)) {
    return `${resource(channel)}/openai/realtime?${query(version)}&deployment=${deployment(context)}`
  }
  const url = v1Url(channel, '/realtime', version)
  return `${url}${url.includes('?') ? '&' : '?'}model=${model}`
}

/** A token was exchanged for the secret of a service principal; every other key is one of the resource. */
export function keyHeader({ key, token }: Credentials): Record<string, string> {
  return token === undefined ? { 'api-key': key.trim() } : { authorization: `Bearer ${token}` }
}

function headersOf(credentials: Credentials, { stream }: AddressContext): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : '*/*',
    ...keyHeader(credentials),
  }
}

/** `preview` is the older name of what `v1` became; it is sent in the query. */
function v1Url(channel: ChannelView, path: string, version: string): string {
  const url = `${resource(channel)}/openai/v1${path}`
  return version === 'preview' ? `${url}?${query(version)}` : url
}

function isUnversioned(version: string): boolean {
  return version === 'v1' || version === 'preview'
}

const defaults: Readonly<Record<VersionField, string>> = {
  api_version: '2025-04-01-preview',
  responses_api_version: 'v1',
  realtime_api_version: 'v1',
}

function versionOf({ settings }: { readonly settings: JsonObject }, field: VersionField): string {
  const reported = settings[field]
  return (typeof reported === 'string' && reported.trim()) || defaults[field]
}

function query(version: string): string {
  return `api-version=${encodeURIComponent(version)}`
}

/** People copy the address with what follows the resource's host. */
export function resource({ baseUrl }: ChannelView): string {
  return normalBase(baseUrl).replace(/\/(?:openai|anthropic(?:\/v1\/messages)?)$/, '')
}

/** Deployments of the models before 4 are named without the dot, as their own default was: `gpt-35-turbo`. */
function deployment({ model }: AddressContext): string {
  return modelSegment(model.replace(/^gpt-3\.5/, 'gpt-35'))
}
