/** What tests of single providers share: the provider as the gateway would create it, and calls of its adapters. */
import { readFileSync } from 'node:fs'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Settings } from '../../kernel/contract/kit.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { AddressContext, ChannelView } from '../../kernel/contract/provider.js'
import type { Kit } from '../../kernel/contract/service-kit.js'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { readManifest } from '../../kernel/registry/manifest.js'

export function manifestOf(name: string): Manifest {
  const file = new URL(`../../providers/${name}/manifest.json`, import.meta.url)
  return readManifest(readFileSync(file, 'utf8'), 'manifest.json')
}

/** A kit whose settings are the declared ones with these in their place. */
export function kitWith(manifest: Manifest, values: JsonObject = {}): Kit {
  const fields = manifest.settings.map((field) => ({
    ...field,
    default: values[field.name] ?? field.default,
  }))
  const settings: Settings = declaredSettings({ ...manifest, settings: fields })
  return { settings } as unknown as Kit
}

export function json(value: JsonObject): Body {
  return { kind: 'json', value }
}

/** The only channel type of a manifest, with its defaults and these settings. */
export function channelOf(
  { channelTypes, channelSettings }: Manifest,
  settings: JsonObject = {},
  baseUrl?: string,
): ChannelView {
  const [type] = channelTypes
  const declared = channelSettings.map((field) => [field.name, field.default])
  return {
    id: 1,
    type: type!.id,
    baseUrl: baseUrl ?? type!.baseUrl,
    settings: { ...Object.fromEntries(declared), ...settings },
  }
}

export function context(model: string, over: Partial<AddressContext> = {}): AddressContext {
  return { now: 0, forwarded: { headers: {} }, model, stream: false, ...over }
}
