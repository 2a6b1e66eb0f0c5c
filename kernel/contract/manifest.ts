/**
 * `manifest.json`: data only, so plugins are listed, checked, documented and ordered without running their code.
 * The id is `<kind prefix>.<name>`; others require it by its name: `service.ledger` serves as `ledger`.
 */

import type { Json } from './json.js'
import type { FormatName, TaskOperationName } from './names.js'
import type { OAuthManifest } from './oauth.js'
import type { PaymentManifest } from './payment.js'

export type PluginKind =
  | 'stage'
  | 'service'
  | 'format'
  | 'operation'
  | 'endpoint'
  | 'management'
  | 'provider'
  | 'guard'
  | 'task'
  | 'payment'
  | 'oauth'
  | 'notifier'

export interface Manifest {
  readonly id: string
  readonly kind: PluginKind
  /** Versions of the contract of its kind the plugin works with, as a semver range: `^1.0`. */
  readonly engines: { readonly waybill: string }
  /** Version of the plugin, semver. */
  readonly version: string
  readonly title: string
  /** Image beside the manifest, SVG or PNG of at most 16 KiB: `./icon.svg`. Of a plugin that was read: a data URL of it. */
  readonly icon?: string
  /** Module beside the manifest, always relative: `./index.js`. Its default export is `create(kit)`. */
  readonly entry: string
  /** Services by name; the kit holds exactly these. */
  readonly requires: readonly string[]
  /**
   * Where egress lets the plugin call: a host name (`*.example.com` for all below it), `channel` (base URL of the channel
   * served), `channelSettings.<name>` (addresses that stand as whole texts in this field of the channel served),
   * `settings.<name>` (an address an admin set) or `user` (any public address, for notifiers whose users name one).
   */
  readonly hosts: readonly string[]
  /** Providers and task types: the channel types they serve. */
  readonly channelTypes: readonly ChannelType[]
  /** Task types only: channel types of others whose tasks they serve, by number or key. */
  readonly serves?: readonly (number | string)[]
  /** Task types only: what a client may set in a request, form by form. Absent: forms hold a prompt alone. */
  readonly requestFields?: readonly RequestForm[]
  /** Task types only: units a rate card may count, as `quantities` names them. */
  readonly units?: readonly string[]
  /** Task types only: dimensions a rate card may have as columns. */
  readonly dimensions?: readonly string[]
  /**
   * The plugin's title, titles of its channel types, titles and helps of its fields, words for units and dimensions. What is missing is
   * shown as the manifest has it.
   */
  readonly translations?: Translations
  /** The plugin's own settings, once per gateway. */
  readonly settings: readonly SettingField[]
  /** Fields of each channel of this provider, kept in the channel's `settings`. */
  readonly channelSettings: readonly SettingField[]
  /** OAuth providers: fields of each copy an admin defines beside the plugin itself. */
  readonly instanceSettings: readonly SettingField[]
  /** Notifiers: fields each user sets for themselves. */
  readonly userSettings: readonly SettingField[]
  /** OAuth providers: how a person signs in. Absent: by redirect. */
  readonly oauth?: OAuthManifest
  /** Payment gateways alone, which must have it. */
  readonly payment?: PaymentManifest
  /** Endpoints and management areas: what they answer, without code. */
  readonly routes: readonly RouteManifest[]
  /** Guards only: the stage they stand at, and on which side. */
  readonly guards?: { readonly stage: string; readonly where: 'before' | 'after' }
}

/** By language, `en` and `zh` on pages of the gateway; then by the text or name as it stands in the manifest. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface ChannelType {
  /**
   * The number channels of this type are stored under. A manifest gives it only where other gateways have one for the type;
   * for all others it is made of the key, the same on every gateway.
   */
  readonly id: number
  /** `<plugin>/<name>`, as `acme/chat`; made by the gateway. */
  readonly key: string
  /** Unique within its plugin. */
  readonly name: string
  readonly title: string
  /** Origin used where a channel names none; empty: every channel must name its own. */
  readonly baseUrl: string
  /**
   * `whole`: the base URL of a channel reaches the provider as it is written, with version, path and query. Absent: as an
   * origin, without its version.
   */
  readonly address?: 'origin' | 'whole'
}

export interface SettingField {
  readonly name: string
  readonly type: 'string' | 'secret' | 'number' | 'boolean' | 'select' | 'json' | 'list'
  readonly title: string
  readonly help?: string
  /** Stored under the family's key instead of `<id>.<name>`. */
  readonly option?: string
  readonly default?: Json
  /** For `select`. */
  readonly options?: readonly string[]
  /** For `number`. */
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
  /** Largest text of the value in bytes; default 65536. */
  readonly maxBytes?: number
  /** For `string`: its value is the address of an image pages show, so they may load one from there. */
  readonly image?: true
  /**
   * For `string`: its value is an address pages post a form to. While there is one, pages may post forms to any address of
   * its scheme: where the form leads on from there is known to nobody before.
   */
  readonly forms?: true
  /** For `boolean`: while it is on, pages may load from these origins, each written `https://host`. */
  readonly pages?: { readonly script?: readonly string[]; readonly frame?: readonly string[] }
  /** Shown only while another field has this value. */
  readonly when?: { readonly field: string; readonly is: Json }
}

/** What a client may set in requests of one operation, or of one action of it. */
export interface RequestForm {
  readonly operation: TaskOperationName | 'images'
  /** Absent: `generate`. */
  readonly action?: string
  readonly fields: readonly RequestField[]
}

/** A field of a request, under the name it has in the form of the operation. */
export interface RequestField {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'select' | 'json' | 'image'
  readonly title: string
  readonly help?: string
  /** What the form begins with. Absent: the field is sent only where somebody fills it in. */
  readonly default?: Json
  /** For `select`. */
  readonly options?: readonly string[]
  /** For `number`. */
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
  /** For `text`: it has several lines. */
  readonly long?: true
  /** For `image`: how many at most, sent as a list. Absent: one, sent as an address or a data URL. */
  readonly many?: number
  /** For `image`: only data URLs are taken, or only addresses. Absent: both. */
  readonly source?: 'upload' | 'address'
  /** A request means nothing without it. */
  readonly required?: true
}

/** Who may call. Management: a role of at least that rank. Endpoints: `key`, or `none`. */
export type RouteCredential = 'none' | 'key' | 'user' | 'admin' | 'root'

/** What the management API is divided into, so that an access token may be confined to a part of it. */
export type ScopeArea =
  | 'account'
  | 'tokens'
  | 'channels'
  | 'models'
  | 'users'
  | 'money'
  | 'logs'
  | 'options'
  | 'system'

/**
 * The scope an access token needs. An area alone: `<area>:read` for GET, `<area>:write` else. `any`: every token may call
 * it, and the handler checks what it does with it.
 */
export type RouteScope = ScopeArea | `${ScopeArea}:${'read' | 'write'}` | 'any'

export interface RouteManifest {
  /** Key of the handler in what `create` returns. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** hapi path syntax, in the family's spelling; both slash forms are served. */
  readonly path: string
  readonly credential: RouteCredential
  /** Management, for a role: the scope an access token needs. Absent: only tokens of scope `all` may call it. */
  readonly scope?: RouteScope
  /** `raw`: the handler gets the bytes. `json`: parsed (management) or read by the line (endpoints). */
  readonly body: 'none' | 'json' | 'form' | 'raw'
  /** Largest body in bytes. Absent on an endpoint: `MAX_REQUEST_BODY_MB`. */
  readonly maxBytes?: number
  /** `secrets`: a management route some or all of whose calls write keys or secrets (`ManagementRoute.writesSecrets`). */
  readonly limiter: 'api' | 'critical' | 'secrets' | 'status' | 'relay' | 'none'
  /** Endpoints: the shape of errors under this path, the 404 included. */
  readonly format?: FormatName
  /** Management: an admin who has yet to set up the second factor that is required of them may call it. */
  readonly beforeFactor?: true
  /** One sentence for the OpenAPI document. */
  readonly summary?: string
}

/** Where a plugin stands in its life. */
export type PluginState =
  | 'discovered'
  | 'checked'
  | 'created'
  | 'ready'
  | 'stopping'
  | 'stopped'
  | 'failed'
  /** Switched off by root; only plugins from outside can be. */
  | 'off'

/** Where a plugin comes from that does not come with the gateway. */
export interface PluginOrigin {
  /** As `PLUGINS` names it. */
  readonly entry: string
  /** Whole path of the folder with its manifest. */
  readonly folder: string
  /** The npm package it is part of, and what that states of itself. */
  readonly package?: { readonly name: string; readonly version: string; readonly license: string }
  /** It runs in a thread of its own. */
  readonly isolated?: true
}

/** One row of `GET /api/plugins`. */
export interface PluginStatus {
  readonly manifest: Manifest
  readonly state: PluginState
  /** Absent: it comes with the gateway. */
  readonly origin?: PluginOrigin
  /** Why it failed, in one sentence. */
  readonly reason?: string
  /** What its author should look at, in sentences; the plugin works without. Absent: nothing. */
  readonly warnings?: readonly string[]
  /** How its functions fare since the start. Absent: there is nothing to report. */
  readonly health?: PluginHealth
}

/** What went wrong in the functions of a plugin since the start of this process. */
export interface PluginHealth {
  /** Calls of its functions, as far as they are counted. */
  readonly calls: number
  /** Calls that threw, took too long, or returned something else than the contract states. */
  readonly faults: number
  /** Calls that kept the whole process busy for longer than 50 ms. */
  readonly slowCalls: number
  /** `at` in Unix milliseconds; the words are masked and cut. */
  readonly lastFault?: { readonly verb: string; readonly message: string; readonly at: number }
  /** The longest time a call kept the process busy. */
  readonly slowest?: { readonly verb: string; readonly ms: number; readonly at: number }
  /** Unix milliseconds until which it is set aside. Absent: it is not. */
  readonly setAsideUntil?: number
}
