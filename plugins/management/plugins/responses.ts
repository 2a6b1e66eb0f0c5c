/** What the area of plugins returns. */
import joi from 'joi'
import type {
  ChannelType,
  Manifest,
  PluginHealth,
  PluginOrigin,
  PluginStatus,
  RequestForm,
  RouteManifest,
} from '../../../kernel/contract/manifest.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import {
  requestFieldForm,
  responseForm,
  settingFieldForm,
  translationsForm,
} from '../../../kernel/toolkit/management/index.js'

const texts = joi.array().items(joi.string())
const fields = joi.array().items(settingFieldForm)

const channelTypeFields = {
  id: joi
    .number()
    .integer()
    .min(0)
    .description('The number channels of this type are stored under.'),
  key: joi.string().example('acme/chat'),
  name: joi.string().description('Unique within its plugin.').example('chat'),
  title: joi.string(),
  baseUrl: joi
    .string()
    .allow('')
    .description('Used where a channel names none. Empty: every channel must name its own.'),
  address: joi
    .string()
    .valid('origin', 'whole')
    .optional()
    .description('`whole`: a channel names the very address of its calls. Absent: an origin.'),
}

const channelType = responseForm<ChannelType>(channelTypeFields).id('ChannelType')

const servedChannelType = responseForm<ReturnType<Catalog['channelTypes']>[number]>({
  ...channelTypeFields,
  plugin: joi.string().description('Id of the plugin that serves it.'),
  fields: fields.description('Fields of each channel of the type.'),
}).id('ServedChannelType')

const route = responseForm<RouteManifest>({
  name: joi.string(),
  method: joi.string().valid('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: joi.string().example('/api/plugins'),
  credential: joi
    .string()
    .valid('none', 'key', 'user', 'admin', 'root')
    .description('Who may call: a role of at least that rank, an API key, or anyone.'),
  scope: joi.string().optional().description('What an access token needs. Absent: `all`.'),
  body: joi.string().valid('none', 'json', 'form', 'raw'),
  maxBytes: joi.number().integer().min(1).optional().description('Size of the largest body.'),
  limiter: joi.string().valid('api', 'critical', 'secrets', 'status', 'relay', 'none'),
  format: joi.string().optional().description('The format of errors under this path.'),
  beforeFactor: joi
    .boolean()
    .valid(true)
    .optional()
    .description('Open to an admin who has yet to set up a second factor that is required.'),
  summary: joi.string().optional(),
}).id('PluginRoute')

const kinds = [
  'stage',
  'service',
  'format',
  'operation',
  'endpoint',
  'management',
  'provider',
  'guard',
  'task',
  'payment',
  'oauth',
  'notifier',
] as const satisfies readonly Manifest['kind'][]

const manifest = responseForm<Manifest>({
  id: joi.string().example('provider.anthropic'),
  kind: joi.string().valid(...kinds),
  engines: joi
    .object({ waybill: joi.string() })
    .description('Versions of the contract it works with, as a range.'),
  version: joi.string().example('1.0.0'),
  title: joi.string(),
  icon: joi.string().optional().description('A data URL.'),
  entry: joi.string(),
  requires: texts.description('Services by name.'),
  hosts: texts.description('Where it may call.'),
  channelTypes: joi.array().items(channelType),
  serves: joi
    .array()
    .items(joi.alternatives(joi.number(), joi.string()))
    .optional()
    .description('Channel types of others whose tasks it serves.'),
  requestFields: joi
    .array()
    .items(
      responseForm<RequestForm>({
        operation: joi.string(),
        action: joi.string().optional().description('Absent: `generate`.'),
        fields: joi.array().items(requestFieldForm),
      }).id('RequestForm'),
    )
    .optional()
    .description('What clients may set in requests of a task type.'),
  units: texts.optional().description('Units a rate card may count.'),
  dimensions: texts.optional().description('Dimensions a rate card may have as columns.'),
  translations: translationsForm.optional(),
  settings: fields.description('Its own settings.'),
  channelSettings: fields.description('Fields of each channel it serves.'),
  instanceSettings: fields.description('Fields of each copy that admins define.'),
  userSettings: fields.description('Fields each user sets for themselves.'),
  oauth: joi
    .object({
      style: joi.string().valid('redirect', 'code', 'widget'),
      switch: joi.string().optional().description('The setting that switches it on.'),
      facts: texts.optional().description('Settings that anyone may read.'),
    })
    .optional(),
  payment: joi
    .object({
      switch: joi.string().optional().description('The setting that switches it on.'),
      callback: joi
        .array()
        .items(joi.string().valid('GET', 'POST'))
        .description('Methods its callback address takes.'),
    })
    .optional(),
  routes: joi.array().items(route),
  guards: joi
    .object({ stage: joi.string(), where: joi.string().valid('before', 'after') })
    .optional()
    .description('The stage a guard stands at, and on which side.'),
}).id('PluginManifest')

const states = [
  'discovered',
  'checked',
  'created',
  'ready',
  'stopping',
  'stopped',
  'failed',
  'off',
] as const satisfies readonly PluginStatus['state'][]

const origin = responseForm<PluginOrigin>({
  entry: joi.string().description('As `PLUGINS` names it.').example('waybill-plugin-acme'),
  folder: joi.string().description('The folder with its manifest.'),
  package: joi
    .object({ name: joi.string(), version: joi.string(), license: joi.string().allow('') })
    .optional()
    .description('The npm package it is part of.'),
  isolated: joi.boolean().valid(true).optional().description('It runs in a thread of its own.'),
}).id('PluginOrigin')

const verb = joi.string().description('The function, as its contract names it.')
const at = joi.number().integer().description('Unix milliseconds.')

const health = responseForm<PluginHealth>({
  calls: joi.number().integer().description('Calls of its functions, as far as they are counted.'),
  faults: joi
    .number()
    .integer()
    .description('Calls that threw, took too long, or returned something else than agreed.'),
  slowCalls: joi
    .number()
    .integer()
    .description('Calls that kept the whole process busy for longer than 50 ms.'),
  lastFault: joi
    .object({ verb, message: joi.string().allow('').description('Masked and cut.'), at })
    .optional(),
  slowest: joi
    .object({ verb, ms: joi.number().integer(), at })
    .optional()
    .description('The longest time a call kept the process busy.'),
  setAsideUntil: joi
    .number()
    .integer()
    .optional()
    .description('Unix milliseconds until which it is set aside. Absent: it is not.'),
}).id('PluginHealth')

const pluginStatus = responseForm<PluginStatus>({
  manifest,
  state: joi.string().valid(...states),
  origin: origin.optional().description('Absent: it comes with the gateway.'),
  reason: joi.string().optional().description('Why it failed, in one sentence.'),
  warnings: texts.optional().description('What its author should look at, in sentences.'),
  health: health
    .optional()
    .description('How it fares in the processes of this address. Absent: nothing to report.'),
}).id('PluginStatus')

const lineStage = responseForm<ReturnType<Catalog['line']>[number]>({
  stage: joi.string().example('auth'),
  before: texts.description('Guards before it.'),
  after: texts.description('Guards after it.'),
}).id('LineStage')

export const pluginOverview = joi
  .object({
    plugins: joi.array().items(pluginStatus),
    problems: texts.description('What is wrong with entries of `PLUGINS` that show no plugin.'),
    line: joi.array().items(lineStage).description('In the order requests run through it.'),
    channel_types: joi.array().items(servedChannelType),
  })
  .id('PluginOverview')
