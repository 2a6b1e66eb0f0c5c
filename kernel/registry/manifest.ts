/**
 * Reads one `manifest.json` and checks it field by field. What it answers is complete: absent arrays are empty.
 * What is wrong is stated in one sentence that names the file and the field.
 */
import Joi from 'joi'
import type { ChannelType, Manifest, PluginKind } from '../contract/manifest.js'
import { routeScopes } from '../toolkit/management/scopes.js'
import {
  accountSettings,
  channelTypeKey,
  channelTypeNumber,
} from '../toolkit/service/manifest-names.js'
import { faultOfVersion } from './contract-version.js'
import { deprecatedFields, deprecations } from './deprecations.js'
import { faultOfRequestForms, requestForms } from './request-form.js'
import { faultOfField, fieldName, inherited, settingField } from './setting-field.js'

export interface ManifestReading {
  readonly manifest: Manifest
  /** Fields this version knows nothing of, as `routes[0].surprise`; they are left out. A plugin may be newer than the gateway. */
  readonly unknown: readonly string[]
  /** Deprecated fields it has, in sentences. */
  readonly deprecated: readonly string[]
}

/** Throws an `Error` that names `where` and the field at fault. `table`: the deprecated fields. */
export function inspectManifest(
  text: string,
  where: string,
  table = deprecations.manifest,
): ManifestReading {
  const parsed = parse(text, where)
  const options = { convert: false, stripUnknown: true, errors: { label: 'path' } } as const
  const { error, value } = schema.validate(parsed, options)
  if (error) throw new Error(`${where}: ${error.message}.`)
  const manifest: Manifest = value
  const fault =
    faultOfVersion(manifest.kind, manifest.engines.waybill) ??
    faultOfKind(manifest) ??
    faultOfFields(manifest) ??
    faultOfRequestForms(manifest.requestFields) ??
    faultOfHosts(manifest)
  if (fault) throw new Error(`${where}: ${fault}.`)
  return {
    manifest: { ...manifest, channelTypes: channelTypesOf(manifest) },
    unknown: leftOut(parsed, manifest),
    deprecated: deprecatedFields(parsed, table),
  }
}

/** For people: what becomes of fields that are not known, and what takes the place of deprecated ones. */
export function sentencesOf({
  unknown,
  deprecated,
}: Omit<ManifestReading, 'manifest'>): readonly string[] {
  const left = unknown.map(
    (field) =>
      `The manifest has a field "${field}", which this version of the gateway does not know; it has no effect.`,
  )
  return [...left, ...deprecated]
}

/** The manifest alone. Throws as above. */
export function readManifest(text: string, where: string): Manifest {
  return inspectManifest(text, where).manifest
}

/** Paths of members the one has and the other lacks. */
function leftOut(given: unknown, taken: unknown, place = ''): readonly string[] {
  if (typeof given !== 'object' || given === null) return []
  const kept = (typeof taken === 'object' && taken !== null ? taken : {}) as object
  return Object.entries(given).flatMap(([name, value]) => {
    const here = Array.isArray(given)
      ? `${place}[${name}]`
      : place === ''
        ? name
        : `${place}.${name}`
    const own = Object.hasOwn(kept, name)
    return own ? leftOut(value, kept[name as keyof typeof kept], here) : [here]
  })
}

/** The id a text states that need not be a sound manifest. Undefined: none, or not of a kind there is. */
export function statedId(text: string): string | undefined {
  const [, id, kind] = /"id"\s*:\s*"((\w+)\.[\w-]+)"/.exec(text) ?? []
  return kind !== undefined && isKind(kind) ? id : undefined
}

export function isKind(word: string): word is PluginKind {
  return Object.hasOwn(kinds, word)
}

const kinds: Readonly<Record<PluginKind, true>> = {
  stage: true,
  service: true,
  format: true,
  operation: true,
  endpoint: true,
  management: true,
  provider: true,
  guard: true,
  task: true,
  payment: true,
  oauth: true,
  notifier: true,
}

const list = (item: Joi.Schema) => Joi.array().items(item).default([])
const unique = (item: Joi.Schema, key: string) => list(item).unique(key)
/** The registry sees to it that there is such a format. */
const formatName = Joi.string().pattern(/^[a-z][a-z0-9-]*$/, 'name of a format')

const route = Joi.object({
  name: fieldName.required(),
  method: Joi.string().valid('GET', 'POST', 'PUT', 'PATCH', 'DELETE').required(),
  path: Joi.string()
    .pattern(/^\/\S*$/, 'path')
    .required(),
  credential: Joi.string().valid('none', 'key', 'user', 'admin', 'root').required(),
  scope: Joi.string().valid(...routeScopes),
  body: Joi.string().valid('none', 'json', 'form', 'raw').required(),
  maxBytes: Joi.number().integer().min(1),
  limiter: Joi.string().valid('api', 'critical', 'secrets', 'status', 'relay', 'none').required(),
  format: formatName,
  beforeFactor: Joi.valid(true),
  summary: Joi.string(),
})

const channelType = Joi.object({
  id: Joi.number().integer().min(0).max(999_999_999),
  name: fieldName.required(),
  title: Joi.string(),
  baseUrl: Joi.string()
    .allow('')
    .pattern(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*[^\s?#/])?$/, 'address without a trailing slash')
    .required(),
  address: Joi.valid('origin', 'whole'),
})

const host = Joi.string().pattern(
  /^(channel|user|(settings|channelSettings)\.[A-Za-z][A-Za-z0-9_-]*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+)$/,
  'host name, *.host name, channel, user, settings.<name> or channelSettings.<name>',
)

/** Units and dimensions, as rate cards name them. */
const pricingNames = Joi.array()
  .items(
    Joi.string()
      .pattern(/^[a-z][a-z0-9_-]{0,31}$/, 'name of a unit or dimension')
      .invalid(...inherited),
  )
  .unique()

/** A language that is written wrongly would never be shown, so it is refused rather than left out as an unknown field. */
const translations = Joi.object()
  .pattern(
    /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
    Joi.object()
      .pattern(Joi.string(), Joi.string())
      .messages({ 'object.unknown': '{{#label}} is no text of the manifest' }),
  )
  .prefs({ stripUnknown: false })
  .messages({
    'object.unknown': '{{#label}} names no language: write a tag such as "zh" or "zh-TW"',
  })

const schema = Joi.object({
  id: Joi.string()
    .pattern(/^[a-z]+\.[a-z0-9][a-z0-9-]*$/, 'kind.name')
    .required(),
  kind: Joi.string()
    .valid(...Object.keys(kinds))
    .required(),
  engines: Joi.object({ waybill: Joi.string().max(64).required() }).required(),
  version: Joi.string()
    .pattern(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'version')
    .required(),
  title: Joi.string().required(),
  icon: Joi.string().pattern(
    /^\.\/(?:(?!\.\.)[\w.-]+\/)*(?!\.\.)[\w.-]+\.(?:svg|png)$/,
    'SVG or PNG beside the manifest',
  ),
  entry: Joi.string()
    .pattern(/^\.\/(?:(?!\.\.)[\w.-]+\/)*(?!\.\.)[\w.-]+\.m?js$/, 'module beside the manifest')
    .required(),
  requires: list(Joi.string()).unique(),
  hosts: list(host).unique(),
  channelTypes: unique(channelType, 'name'),
  serves: Joi.array()
    .items(Joi.number().integer().min(1), Joi.string().pattern(/^[\w-]+\/[\w-]+$/, 'plugin/name'))
    .unique(),
  requestFields: requestForms,
  units: pricingNames,
  dimensions: pricingNames,
  translations,
  settings: unique(settingField, 'name'),
  channelSettings: unique(settingField, 'name'),
  instanceSettings: unique(settingField, 'name'),
  userSettings: unique(settingField, 'name'),
  oauth: Joi.object({
    style: Joi.valid('redirect', 'code', 'widget').required(),
    switch: fieldName,
    facts: Joi.array().items(fieldName).unique(),
  }),
  payment: Joi.object({
    switch: fieldName,
    callback: Joi.array().items(Joi.valid('GET', 'POST')).unique().required(),
  }),
  routes: unique(route, 'name'),
  guards: Joi.object({
    stage: Joi.string().required(),
    where: Joi.string().valid('before', 'after').required(),
  }),
}).required()

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text, withoutPrototype)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${where}: this is not JSON: ${reason}.`)
  }
}

/** No manifest sets what objects made of it inherit. */
function withoutPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value
}

/** Fields only some kinds may carry, and those they must. */
function faultOfKind(manifest: Manifest): string | undefined {
  const { id, kind } = manifest
  if (!id.startsWith(`${kind}.`))
    return `"id" is "${id}", but an id of this kind is "${kind}.<name>"`
  if (inherited.includes(id.slice(kind.length + 1)))
    return `"id" is "${id}", whose name is one that every object has; choose another`
  const routed = kind === 'endpoint' || kind === 'management'
  if (manifest.routes.length > 0 && !routed) return `"routes" is not for the kind "${kind}"`
  const hasChannels = kind === 'provider' || kind === 'task'
  if (manifest.channelTypes.length > 0 && !hasChannels) {
    return `"channelTypes" is not for the kind "${kind}"`
  }
  if (manifest.channelSettings.length > 0 && !hasChannels) {
    return `"channelSettings" is not for the kind "${kind}"`
  }
  if (manifest.instanceSettings.length > 0 && kind !== 'oauth') {
    return `"instanceSettings" is not for the kind "${kind}"`
  }
  if (manifest.userSettings.length > 0 && kind !== 'notifier') {
    return `"userSettings" is not for the kind "${kind}"`
  }
  if (manifest.oauth && kind !== 'oauth') return `"oauth" is not for the kind "${kind}"`
  if (manifest.payment && kind !== 'payment') return `"payment" is not for the kind "${kind}"`
  if (!manifest.payment && kind === 'payment') {
    return '"payment" must say by which methods its provider reports'
  }
  if (kind === 'provider' && manifest.channelTypes.length === 0) {
    return '"channelTypes" must name at least one type the provider serves'
  }
  if (manifest.serves && kind !== 'task') return `"serves" is not for the kind "${kind}"`
  for (const part of ['requestFields', 'units', 'dimensions'] as const) {
    if (manifest[part] && kind !== 'task') return `"${part}" is not for the kind "${kind}"`
  }
  if (kind === 'task' && manifest.channelTypes.length === 0 && !manifest.serves?.length) {
    return '"channelTypes" or "serves" must name at least one type the plugin serves'
  }
  if (manifest.guards && kind !== 'guard') return `"guards" is not for the kind "${kind}"`
  if (!manifest.guards && kind === 'guard') return '"guards" must name the stage it stands at'
  return undefined
}

function faultOfFields(manifest: Manifest): string | undefined {
  for (const scope of [
    'settings',
    'channelSettings',
    'instanceSettings',
    'userSettings',
  ] as const) {
    const fields = manifest[scope]
    for (const [index, field] of fields.entries()) {
      const fault = faultOfField(field, fields)
      if (fault) return `"${scope}[${index}].${fault}`
    }
  }
  for (const [index, { name }] of manifest.userSettings.entries()) {
    if (accountSettings.some((own) => own === name)) {
      return `"userSettings[${index}].name" is "${name}", which every account has for itself`
    }
  }
  return undefined
}

function faultOfHosts(manifest: Manifest): string | undefined {
  const declared: Readonly<Record<string, Manifest['settings']>> = {
    settings: [...manifest.settings, ...manifest.instanceSettings],
    channelSettings: manifest.channelSettings,
  }
  for (const [index, entry] of manifest.hosts.entries()) {
    const [, scope = '', field] = /^(settings|channelSettings)\.(.+)$/.exec(entry) ?? []
    if (field === undefined || declared[scope]?.some(({ name }) => name === field)) continue
    return `"hosts[${index}]" names the setting "${field}", which is not declared`
  }
  return undefined
}

/** A channel type without a title of its own carries the plugin's; one without a number gets that of its key. */
function channelTypesOf(manifest: Manifest): Manifest['channelTypes'] {
  return manifest.channelTypes.map((type) => {
    const key = channelTypeKey(manifest, type.name)
    const { id = channelTypeNumber(key), title = manifest.title } = type as Partial<ChannelType>
    return { ...type, id, key, title }
  })
}
